package io.cleave.lsm.table;

import io.cleave.base.Bytes;
import io.cleave.lsm.row.FieldBatches;
import io.cleave.lsm.row.Fields;
import io.cleave.lsm.row.Projection;
import io.cleave.lsm.row.Row;
import io.cleave.lsm.row.Source;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.List;

/// A position in a [Run]: a table, a block of the table, an entry of the block.
///
/// Keys outside a slice's range are skipped, though its table may have them. All versions of a key
/// are in one table, but they may continue in the next block.
public final class RunSource extends Source {
    private static final int NO_BLOCK = -1;
    private static final int NO_TABLE = -1;

    /// Whether there was a key after the block that was taken last.
    private boolean hasKey;

    private final Run run;
    private final BlockCache.Use use;
    private final Projection projection;
    private final KeyCursor entry = new KeyCursor();

    /// Cursors for the column families of the table; empty if fields are stored with the keys.
    private FamilyCursor[] families = new FamilyCursor[0];

    private @Nullable Fields fields;
    private @Nullable KeyBlock opened;

    private int tableNumber = NO_TABLE;
    private Slice slice;
    private TableReader table;
    private ReadAhead ahead;
    private int block = NO_BLOCK;

    // The position of the newest version of the current key.
    private int keyBlock;
    private int keyEntry;

    public RunSource(Run run, Projection projection, BlockCache.Use use) {
        this.run = run;
        this.projection = projection;
        this.use = use;
        slice = run.slices().getFirst();
        table = run.tables().getFirst();
        ahead = new ReadAhead(table, TableReader.KEYS);
    }

    @Override
    public boolean seek(Bytes bound) {
        int number = run.find(bound);
        return openTable(number) && (seekInTable(bound) || nextTable());
    }

    private boolean seekInTable(Bytes bound) {
        Bytes at = bound.compareTo(slice.from()) < 0 ? slice.from() : bound;
        int found = table.index().find(at.array(), at.length());
        if (found == table.index().blockCount()) {
            return false;
        }
        openBlock(found);
        return (entry.seek(at) || nextBlock()) && arrive();
    }

    @Override
    public boolean seekBefore(@Nullable Bytes bound) {
        int last = run.slices().size() - 1;
        int number = bound == null ? last : Math.min(run.find(bound), last);
        return openTable(number) && (seekBeforeInTable(bound) || previousTable());
    }

    private boolean seekBeforeInTable(@Nullable Bytes bound) {
        Bytes to = slice.to();
        Bytes before = bound == null || (to != null && to.compareTo(bound) < 0) ? to : bound;
        int last = table.index().blockCount() - 1;
        int found =
                before == null
                        ? last
                        : Math.min(table.index().find(before.array(), before.length()), last);
        openBlock(found);
        boolean passes = before != null && entry.seek(before);
        return arriveBefore(passes ? entry.entryFrom() : entry.entriesTo());
    }

    @Override
    public boolean nextVersion() {
        if (entry.isLast()) {
            if (!table.index().goesOnBehind(block)) {
                return false;
            }
            openBlock(block + 1);
            entry.first();
        } else if (!entry.nextIsSameKey() || !entry.next()) {
            return false;
        }
        publish();
        return true;
    }

    @Override
    public boolean nextKey() {
        return (nextKeyInTable() && arrive()) || nextTable();
    }

    private boolean nextKeyInTable() {
        while (true) {
            if (entry.next()) {
                if (!entry.sameKey) {
                    return true;
                }
            } else {
                boolean sameKey = table.index().goesOnBehind(block);
                if (!nextBlock()) {
                    return false;
                }
                if (!sameKey) {
                    return true;
                }
            }
        }
    }

    @Override
    public boolean previousKey() {
        openBlock(keyBlock);
        return arriveBefore(keyEntry) || previousTable();
    }

    /// Moves to the last key before this offset of the current block.
    private boolean arriveBefore(int entryOffset) {
        int before = entryOffset;
        while (!entry.lastKeyBefore(before)) {
            if (!previousBlock()) {
                return false;
            }
            before = entry.entriesTo();
        }
        while (entry.entryFrom() == 0 && block > 0 && table.index().goesOnBehind(block - 1)) {
            openBlock(block - 1);
            entry.lastKeyBefore(entry.entriesTo());
        }
        return arrive();
    }

    /// Shows the current entry, which is the newest version of its key. Returns false if the key is
    /// outside the slice's range.
    private boolean arrive() {
        publish();
        keyBlock = block;
        keyEntry = entry.entryFrom();
        Bytes to = slice.to();
        return compareKey(slice.from()) >= 0 && (to == null || compareKey(to) < 0);
    }

    private void publish() {
        key = entry.key;
        keyBytes = entry.keyBytes;
        timestamp = Math.max(entry.timestamp, slice.ingestedAt());
        kind = entry.kind;
    }

    @Override
    public void readFields(Row into) {
        Fields beside = fields;
        if (beside != null) {
            beside.read(entry.row, into);
            return;
        }
        int row = table.index().firstRow(block) + entry.row;
        for (FamilyCursor family : families) {
            family.read(row, into);
        }
    }

    @Override
    public int takeBlock(
            long snapshot, @Nullable Bytes bound, @Nullable Source other, FieldBatches batches) {
        Fields beside = fields;
        KeyBlock at = opened;
        if (beside == null || at == null || entry.entryFrom() != 0) {
            return 0;
        }
        Bytes to = slice.to();
        boolean whole =
                Math.max(at.plainUpTo(), slice.ingestedAt()) <= snapshot
                        && !table.index().goesOnBehind(block)
                        && (bound == null || endsBefore(bound.array(), bound.length()))
                        && (to == null || endsBefore(to.array(), to.length()))
                        && (other == null || endsBefore(other.key, other.keyBytes));
        if (!whole) {
            return 0;
        }
        if (batches.wantsKeys()) {
            boolean any = true;
            while (any) {
                batches.sink().key(entry.key, entry.keyBytes);
                any = entry.next();
            }
        }
        batches.addAll(beside, at.bytes);
        hasKey = (nextBlock() && arrive()) || nextTable();
        return at.rows;
    }

    /// Whether all keys of the current block are less than this key.
    private boolean endsBefore(byte[] otherKey, int otherBytes) {
        return table.index().find(otherKey, otherBytes) > block;
    }

    @Override
    public boolean hasKey() {
        return hasKey;
    }

    private boolean nextBlock() {
        if (block + 1 == table.index().blockCount()) {
            return false;
        }
        openBlock(block + 1);
        return entry.first();
    }

    private boolean previousBlock() {
        if (block == 0) {
            return false;
        }
        openBlock(block - 1);
        return true;
    }

    private void openBlock(int number) {
        if (number != block) {
            KeyBlock read = table.keyBlock(number, use, ahead);
            opened = read;
            entry.open(read);
            fields = read.fields;
            block = number;
        }
    }

    private boolean nextTable() {
        while (openTable(tableNumber + 1)) {
            if (seekInTable(slice.from())) {
                return true;
            }
        }
        return false;
    }

    private boolean previousTable() {
        while (openTable(tableNumber - 1)) {
            if (seekBeforeInTable(null)) {
                return true;
            }
        }
        return false;
    }

    private boolean openTable(int number) {
        if (number < 0 || number >= run.slices().size()) {
            return false;
        }
        if (number != tableNumber) {
            tableNumber = number;
            slice = run.slices().get(number);
            table = run.tables().get(number);
            ahead = new ReadAhead(table, TableReader.KEYS);
            block = NO_BLOCK;
            openFamilies();
        }
        return true;
    }

    private void openFamilies() {
        List<FamilyCursor> wanted = new ArrayList<>();
        for (int family = 0; family < table.familiesApart(); family++) {
            if (table.readsApart(family, projection)) {
                wanted.add(new FamilyCursor(table, family, use));
            }
        }
        families = wanted.toArray(FamilyCursor[]::new);
    }
}
