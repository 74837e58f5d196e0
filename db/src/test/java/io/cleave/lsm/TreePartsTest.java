package io.cleave.lsm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.cleave.base.Bytes;
import io.cleave.base.Direction;
import io.cleave.blob.MemoryBlobs;
import io.cleave.lsm.row.Projection;
import io.cleave.lsm.row.ReadWatch;
import io.cleave.lsm.row.RowChange;
import io.cleave.lsm.row.RowCursor;
import io.cleave.lsm.row.RowTest;
import io.cleave.lsm.table.LsmOptions;
import io.cleave.lsm.table.Slice;
import io.cleave.lsm.table.TableFiles;

import org.junit.jupiter.api.Test;

import java.util.ArrayList;
import java.util.List;

class TreePartsTest {
    private static final Bytes M = Bytes.utf8("m");

    private final MemoryBlobs blobs = new MemoryBlobs();
    private final TableFiles files = new TableFiles(blobs, 1 << 20);
    private final LsmOptions options = new LsmOptions(1 << 10, 4, 1 << 20, 4, 1 << 20, 10);
    private final LsmTree tree = new LsmTree(files, options);

    @Test
    void partsShareTablesAndMemtables() {
        write(tree, 1, "a", "b", "x");
        flush(tree);
        write(tree, 2, "b", "y");
        LsmTree left = tree.part(Bytes.EMPTY, M);
        LsmTree right = tree.part(M, null);
        assertThat(rows(left)).containsExactly("a@1", "b@2");
        assertThat(rows(right)).containsExactly("x@1", "y@2");
        assertThat(backward(left)).containsExactly("b@2", "a@1");
        assertThat(backward(right)).containsExactly("y@2", "x@1");
        assertThat(blobs.list()).hasSize(1);
        assertThat(left.slices().getFirst().blobId()).isEqualTo(right.slices().getFirst().blobId());
        assertThat(left.frozenGenerations()).containsExactly(2L);
        assertThat(right.frozenGenerations()).containsExactly(2L);
    }

    @Test
    void aPartFlushesItsOwnRange() {
        write(tree, 1, "a", "b", "x");
        LsmTree left = tree.part(Bytes.EMPTY, M);
        LsmTree right = tree.part(M, null);
        flushFrozen(left);
        flushFrozen(right);
        assertThat(left.slices().getFirst().rows()).isEqualTo(2);
        assertThat(right.slices().getFirst().rows()).isEqualTo(1);
        assertThat(rows(left)).containsExactly("a@1", "b@1");
        assertThat(rows(right)).containsExactly("x@1");
    }

    @Test
    void aPartWithoutRowsFlushesToNothing() {
        write(tree, 1, "a");
        LsmTree right = tree.part(M, null);
        assertThat(right.frozenGenerations()).containsExactly(1L);
        flushFrozen(right);
        assertThat(right.frozenGenerations()).isEmpty();
        assertThat(right.slices()).isEmpty();
    }

    @Test
    void partsAddUpToTheWhole() {
        for (int number = 0; number < 5000; number++) {
            write(tree, 1, "key %05d".formatted(number));
        }
        flush(tree);
        for (int number = 0; number < 5000; number += 5) {
            write(tree, 2, "key %05d".formatted(number));
        }
        TreeStatistics whole = tree.statistics();
        TreeStatistics left = tree.part(Bytes.EMPTY, Bytes.utf8("key 01000")).statistics();
        TreeStatistics right = tree.part(Bytes.utf8("key 01000"), null).statistics();
        // A fifth of the rows is there twice, by what samples of keys tell.
        assertThat(whole.rows()).isBetween(4700L, 5400L);
        assertThat(left.rows() + right.rows()).isCloseTo(whole.rows(), within(200L));
        assertThat(left.storedBytes() + right.storedBytes())
                .isCloseTo(whole.storedBytes(), within(2L));
        assertThat((double) left.memtableBytes() / whole.memtableBytes()).isBetween(0.15, 0.25);
    }

    @Test
    void aMergedTreeReadsAsItsNeighboursDid() {
        LsmTree right = new LsmTree(files, options);
        write(tree, 1, "a", "b");
        flush(tree);
        write(tree, 2, "b");
        write(right, 1, "x", "y");
        LsmTree merged = LsmTree.merged(List.of(tree, right), List.of(M));
        assertThat(rows(merged)).containsExactly("a@1", "b@2", "x@1", "y@1");
        assertThat(backward(merged)).containsExactly("y@1", "x@1", "b@2", "a@1");
        write(merged, 3, "a", "x");
        assertThat(rows(merged)).containsExactly("a@3", "b@2", "x@3", "y@1");
    }

    /// Both neighbours have one frozen memtable; they were counted differently.
    @Test
    void whatIsFrozenInNeighboursIsFlushedTogether() {
        LsmTree right = new LsmTree(files, options);
        write(tree, 1, "a");
        flush(tree);
        write(tree, 2, "b");
        write(right, 2, "x");
        LsmTree merged = LsmTree.merged(List.of(tree, right), List.of(M));
        assertThat(merged.frozenGenerations()).hasSize(1);
        flushFrozen(merged);
        assertThat(merged.frozenGenerations()).isEmpty();
        assertThat(merged.slices().getFirst().rows()).isEqualTo(2);
        assertThat(rows(merged)).containsExactly("a@1", "b@2", "x@2");
    }

    /// The left neighbour has flushed three times, the right one once, and a newer memtable of the
    /// right one waits. The slices are merged into one of the left one's last generation; the
    /// memtable, flushed after that, must come before it.
    @Test
    void whatIsFlushedAfterAMergeIsNewerThanAllThatWasFlushedBefore() {
        LsmTree right = new LsmTree(files, options);
        write(right, 1, "x");
        flush(right);
        write(right, 2, "x");
        for (int time = 1; time <= 3; time++) {
            write(tree, time, "a");
            flush(tree);
        }
        LsmTree merged = LsmTree.merged(List.of(tree, right), List.of(M));
        List<Slice> flushed = merged.slices();
        var together = new Compaction(flushed, 0, Compaction.Kind.MERGE, false, "test");
        merged.compacted(flushed, merged.maintenance().runCompaction(together, 0));
        flushFrozen(merged);
        assertThat(rows(merged)).containsExactly("a@3", "x@2");
        assertThat(merged.slices()).hasSize(2);
    }

    @Test
    void splitAndMergeOverAndOverCopyNothing() {
        write(tree, 1, "a", "b", "x");
        flush(tree);
        write(tree, 2, "c", "z");
        LsmTree again = tree;
        for (int round = 0; round < 15; round++) {
            again =
                    LsmTree.merged(
                            List.of(again.part(Bytes.EMPTY, M), again.part(M, null)), List.of(M));
        }
        assertThat(rows(again)).containsExactly("a@1", "b@1", "c@2", "x@1", "z@2");
        assertThat(blobs.list()).hasSize(1);
        assertThat(again.frozenGenerations()).hasSize(1);
        assertThat(again.statistics().runs()).isLessThanOrEqualTo(tree.statistics().runs());
    }

    private static void write(LsmTree tree, long timestamp, String... keys) {
        for (String key : keys) {
            tree.write(Bytes.utf8(key), timestamp, RowTest.change(RowChange.Kind.REPLACE, "1=v"));
        }
    }

    private static void flush(LsmTree tree) {
        tree.freeze();
        flushFrozen(tree);
    }

    private static void flushFrozen(LsmTree tree) {
        for (long generation : tree.frozenGenerations()) {
            tree.flushed(generation, tree.maintenance().writeTables(generation, 0));
        }
    }

    private static List<String> rows(LsmTree tree) {
        return rows(tree, Direction.FORWARD);
    }

    private static List<String> backward(LsmTree tree) {
        return rows(tree, Direction.BACKWARD);
    }

    private static List<String> rows(LsmTree tree, Direction direction) {
        RowCursor cursor =
                tree.scan(
                        Bytes.EMPTY,
                        null,
                        Projection.ALL,
                        Long.MAX_VALUE,
                        direction,
                        ReadWatch.NONE);
        List<String> rows = new ArrayList<>();
        while (cursor.next()) {
            rows.add(cursor.row().key().utf8() + "@" + cursor.row().timestamp());
        }
        return rows;
    }
}
