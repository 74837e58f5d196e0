package io.cleave.lsm;

import static org.assertj.core.api.Assertions.assertThat;

import io.cleave.base.Bytes;
import io.cleave.blob.MemoryBlobs;
import io.cleave.lsm.row.Projection;
import io.cleave.lsm.row.ReadWatch;
import io.cleave.lsm.row.Row;
import io.cleave.lsm.row.RowChange;
import io.cleave.lsm.row.RowTest;
import io.cleave.lsm.table.LsmOptions;
import io.cleave.lsm.table.Slice;
import io.cleave.lsm.table.TableFiles;

import org.junit.jupiter.api.Test;

import java.util.List;
import java.util.Optional;

/// What is newer on level 0, when slices did not come there in the order of their generations.
class GenerationsTest {
    private static final Bytes K = Bytes.utf8("k");

    /// Two runs on level 0 are too many, and the last level is too large to be merged with them.
    private final LsmOptions options = new LsmOptions(1 << 10, 4, 1 << 20, 2, 1 << 20, 10);

    private final LsmTree tree = new LsmTree(new TableFiles(new MemoryBlobs(), 0), options);

    /// A load takes a place on level 0 behind a memtable that still waits, of which it has no key.
    /// Merged with an older slice, it must not hide what the memtable has of that one's keys.
    @Test
    void aLoadPastAFrozenMemtableDoesNotHideIt() {
        fillLastLevel();
        write(2);
        flush(tree.freeze());
        write(3);
        long waiting = tree.freeze();
        long place = tree.freeze();
        load(place, 4, "x");

        Optional<Compaction> picked = tree.maintenance().pickCompaction(0);
        picked.ifPresent(
                compaction ->
                        tree.compacted(
                                compaction.inputs(),
                                tree.maintenance().runCompaction(compaction, 0)));
        flush(waiting);

        Row row = tree.get(K, Projection.ALL, Long.MAX_VALUE, ReadWatch.NONE);
        assertThat(row).isNotNull();
        assertThat(row.timestamp()).isEqualTo(3);
    }

    private void fillLastLevel() {
        write(1);
        tree.write(Bytes.utf8("z"), 1, change(100_000));
        long generation = tree.freeze();
        List<Slice> slices = tree.maintenance().writeTables(generation, 0);
        tree.flushed(
                generation,
                slices.stream().map(slice -> slice.atLevel(LsmOptions.LAST_LEVEL)).toList());
    }

    private void load(long generation, long timestamp, String key) {
        List<Slice> slices;
        try (BulkWriter writer = tree.maintenance().newBulkWriter()) {
            writer.add(Bytes.utf8(key), change(1));
            slices = writer.finish();
        }
        tree.ingested(BulkWriter.placed(slices, 0, generation, timestamp), timestamp);
    }

    private void write(long timestamp) {
        tree.write(K, timestamp, change(1));
    }

    private static Bytes change(int fieldBytes) {
        return RowTest.change(RowChange.Kind.REPLACE, "1=" + "v".repeat(fieldBytes));
    }

    private void flush(long generation) {
        tree.flushed(generation, tree.maintenance().writeTables(generation, 0));
    }
}
