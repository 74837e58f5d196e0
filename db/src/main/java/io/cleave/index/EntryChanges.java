package io.cleave.index;

import io.cleave.base.Bytes;
import io.cleave.exec.IndexEntries;
import io.cleave.schema.Table;
import io.cleave.tree.Indexes;
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

/// Collects the writes that bring an index from the state of its table at one moment to the state
/// at a later one. Threads: one at a time.
final class EntryChanges {
    private static final int BATCH_ROWS = 1000;
    private static final long BATCH_BYTES = 4L << 20;

    private final IndexEntries entries;
    private final RowHistory history;
    private final ReadColumns columns;
    private final int width;
    private final List<KeyedWrite> writes = new ArrayList<>();
    private long bytes;

    EntryChanges(Indexes.TableIndex found, RowHistory history) {
        this.history = history;
        Table table = found.table();
        entries = new IndexEntries(table, found.index(), found.indexTable());
        width = table.columns().size();
        columns = entries.read(table);
    }

    /// Adds a row. The index has its entry as of `from`, or already as of `to`.
    void add(Bytes key, long from, long to) {
        Value @Nullable [] old = row(key, from);
        Value @Nullable [] now = row(key, to);
        @Nullable Bytes oldKey = old == null ? null : entries.storedKey(old);
        @Nullable Bytes newKey = now == null ? null : entries.storedKey(now);
        boolean stays = Objects.equals(oldKey, newKey);
        if (oldKey != null && !stays) {
            add(new KeyedWrite(oldKey, RowWrite.ERASE));
        }
        if (newKey == null || now == null) {
            return;
        }
        if (!stays || old == null || !entries.sameCover(old, now)) {
            add(new KeyedWrite(newKey, entries.write(now)));
        }
    }

    /// Adds a row. The index may have its entry as of `from` or as of any of these moments. After
    /// the writes it has only the entry as of the last one.
    void add(Bytes key, long from, List<Long> moments) {
        Set<Bytes> gone = new LinkedHashSet<>();
        Value @Nullable [] now = row(key, from);
        for (long moment : moments) {
            @Nullable Bytes entry = now == null ? null : entries.storedKey(now);
            if (entry != null) {
                gone.add(entry);
            }
            now = row(key, moment);
        }
        @Nullable Bytes last = now == null ? null : entries.storedKey(now);
        if (last != null && now != null) {
            gone.remove(last);
            add(new KeyedWrite(last, entries.write(now)));
        }
        gone.forEach(entry -> add(new KeyedWrite(entry, RowWrite.ERASE)));
    }

    private void add(KeyedWrite write) {
        writes.add(write);
        bytes += write.key().length();
        for (Value value : write.write().values()) {
            bytes += bytes(value);
        }
    }

    /// The approximate size of a covered value in the log.
    private static long bytes(Value value) {
        return switch (value) {
            case Value.Text(String text) -> text.length();
            case Value.Binary(Bytes data) -> data.length();
            default -> Long.BYTES * 2;
        };
    }

    /// Whether the collected writes should be written now. All writes to one tablet become one
    /// record of its log.
    boolean isEnough() {
        return writes.size() >= BATCH_ROWS || bytes >= BATCH_BYTES;
    }

    /// Returns the collected writes and starts again.
    List<KeyedWrite> take() {
        List<KeyedWrite> taken = List.copyOf(writes);
        writes.clear();
        bytes = 0;
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
