package io.cleave.lsm.table;

import com.google.errorprone.annotations.FormatMethod;

import io.cleave.base.Bytes;
import io.cleave.base.CorruptionException;
import io.cleave.lsm.row.Fields;
import io.cleave.lsm.row.Keys;
import io.cleave.lsm.row.Projection;
import io.cleave.lsm.row.Row;
import io.cleave.lsm.row.RowChange;

import java.util.Arrays;

/// Reads a whole table and verifies it: every block's checksum, the order of keys and versions, the
/// index, the filter and the statistics.
final class TableCheck {
    private final TableReader table;
    private final KeyCursor entry = new KeyCursor();
    private final Row row = new Row(Projection.ALL);
    private byte[] lastKey = Bytes.EMPTY.array();
    private long lastTimestamp;
    private long versions;
    private long rows;
    private long erases;

    private TableCheck(TableReader table) {
        this.table = table;
    }

    /// Throws a [CorruptionException] that says what is wrong.
    static void run(TableReader table) {
        var check = new TableCheck(table);
        try {
            check.run();
        } catch (IndexOutOfBoundsException | IllegalStateException e) {
            var damage = new CorruptionException(table.name(), 0, "cannot be taken apart: " + e);
            damage.initCause(e);
            throw damage;
        }
    }

    private void run() {
        TableIndex index = table.index();
        FamilyCursor[] families = new FamilyCursor[table.familiesApart()];
        for (int family = 0; family < families.length; family++) {
            families[family] = new FamilyCursor(table, family, BlockCache.Use.PASS);
        }
        var ahead = new ReadAhead(table, TableReader.KEYS);
        for (int number = 0; number < index.blockCount(); number++) {
            KeyBlock block = table.keyBlock(number, BlockCache.Use.PASS, ahead);
            entry.open(block);
            int inBlock = 0;
            for (boolean any = entry.first(); any; any = entry.next()) {
                checkEntry(number, inBlock++);
                readFields(block, families, index.firstRow(number) + entry.row);
            }
            require(inBlock == block.rows, number, "has %d entries, not %d", inBlock, block.rows);
            int indexed = index.firstRow(number + 1) - index.firstRow(number);
            require(inBlock == indexed, number, "has %d entries, not %d", inBlock, indexed);
        }
        checkStatistics();
        table.checkWhole();
    }

    private void checkEntry(int number, int inBlock) {
        int order = Keys.compare(lastKey, 0, lastKey.length, entry.key, 0, entry.keyBytes);
        boolean older = versions > 0 && order == 0;
        require(versions == 0 || order <= 0, number, "keys do not ascend");
        require(
                !older || entry.timestamp <= lastTimestamp,
                number,
                "versions are not newest first");
        require(
                older == (entry.sameKey || (inBlock == 0 && goesOnInto(number))),
                number,
                "versions of a key are not together");
        if (!older) {
            lastKey = Arrays.copyOf(entry.key, entry.keyBytes);
            rows += entry.kind == RowChange.Kind.ERASE.code ? 0 : 1;
            require(
                    table.mayContain(Keys.hash(lastKey, lastKey.length)),
                    number,
                    "the filter denies a key");
            require(
                    table.index().find(lastKey, lastKey.length) == number,
                    number,
                    "the index does not lead to a key");
        }
        lastTimestamp = entry.timestamp;
        versions++;
        erases += entry.kind == RowChange.Kind.ERASE.code ? 1 : 0;
    }

    private boolean goesOnInto(int number) {
        return number > 0 && table.index().goesOnBehind(number - 1);
    }

    private void readFields(KeyBlock block, FamilyCursor[] families, int rowInTable) {
        row.begin(Bytes.EMPTY);
        Fields beside = block.fields;
        if (beside != null) {
            beside.read(entry.row, row);
        }
        for (FamilyCursor family : families) {
            family.read(rowInTable, row);
        }
    }

    private void checkStatistics() {
        TableStatistics told = table.statistics();
        int last = table.index().blockCount() - 1;
        require(
                told.versions() == versions,
                last,
                "%d versions, not %d",
                versions,
                told.versions());
        require(told.rows() == rows, last, "%d rows, not %d", rows, told.rows());
        require(told.erases() == erases, last, "%d erases, not %d", erases, told.erases());
        require(told.lastKey().equals(Bytes.wrap(lastKey)), last, "the last key is another");
    }

    @FormatMethod
    private void require(boolean holds, int block, String problem, Object... arguments) {
        if (!holds) {
            throw new CorruptionException(
                    table.name(), table.index().offset(block), problem.formatted(arguments));
        }
    }
}
