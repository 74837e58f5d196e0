package io.cleave.index;

import io.cleave.base.Bytes;
import io.cleave.cluster.ClusterIndexes;
import io.cleave.exec.IndexEntries;
import io.cleave.schema.Table;
import io.cleave.txn.ReadColumns;
import io.cleave.txn.RowHistory;
import io.cleave.txn.RowWrite;
import io.cleave.txn.Transactions.KeyedWrite;
import io.cleave.value.Value;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;

/// What has to be written to an index so that it follows rows of its table from one moment to
/// another. Gathers it; threads: one at a time.
final class EntryChanges {
    private final IndexEntries entries;
    private final RowHistory history;
    private final ReadColumns columns;
    private final int width;
    private final List<KeyedWrite> writes = new ArrayList<>();

    EntryChanges(ClusterIndexes.Found found, RowHistory history) {
        this.history = history;
        Table table = found.table();
        entries = new IndexEntries(table, found.index(), found.indexTable());
        width = table.columns().size();
        columns = entries.read(table);
    }

    /// The index has the row as it was at `from`, or as it is at `to` already.
    void add(Bytes key, long from, long to) {
        Value @Nullable [] old = row(key, from);
        Value @Nullable [] now = row(key, to);
        @Nullable Bytes oldKey = old == null ? null : entries.storedKey(old);
        @Nullable Bytes newKey = now == null ? null : entries.storedKey(now);
        boolean stays = Objects.equals(oldKey, newKey);
        if (oldKey != null && !stays) {
            writes.add(new KeyedWrite(oldKey, RowWrite.ERASE));
        }
        if (newKey == null || now == null) {
            return;
        }
        if (!stays || old == null || !entries.sameCover(old, now)) {
            writes.add(new KeyedWrite(newKey, entries.write(now)));
        }
    }

    /// The index has the row as it was at `from` or at any of these moments, of which the last
    /// counts: what it may have of the others goes.
    void add(Bytes key, long from, List<Long> moments) {
        Set<Bytes> gone = new LinkedHashSet<>();
        Value @Nullable [] now = row(key, from);
        for (long moment : moments) {
            if (now != null) {
                gone.add(entries.storedKey(now));
            }
            now = row(key, moment);
        }
        if (now != null) {
            Bytes last = entries.storedKey(now);
            gone.remove(last);
            writes.add(new KeyedWrite(last, entries.write(now)));
        }
        gone.forEach(entry -> writes.add(new KeyedWrite(entry, RowWrite.ERASE)));
    }

    int count() {
        return writes.size();
    }

    /// What there is to write, and begins anew.
    List<KeyedWrite> take() {
        List<KeyedWrite> taken = List.copyOf(writes);
        writes.clear();
        return taken;
    }

    private Value @Nullable [] row(Bytes key, long at) {
        Value[] found = history.get(key, columns, at);
        if (found == null) {
            return null;
        }
        var row = new Value[width];
        Arrays.fill(row, Value.Null.NULL);
        for (int place = 0; place < found.length; place++) {
            row[columns.index(place)] = found[place];
        }
        return row;
    }
}
