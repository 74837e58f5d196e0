package io.cleave.lsm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cleave.base.ByteReader;
import io.cleave.base.ByteWriter;
import io.cleave.base.Bytes;
import io.cleave.base.Direction;
import io.cleave.blob.MemoryBlobs;
import io.cleave.lsm.row.ChangeCursor;
import io.cleave.lsm.row.Projection;
import io.cleave.lsm.row.ReadWatch;
import io.cleave.lsm.row.Row;
import io.cleave.lsm.row.RowChange;
import io.cleave.lsm.row.RowCursor;
import io.cleave.lsm.row.RowTest;
import io.cleave.lsm.table.LsmOptions;
import io.cleave.lsm.table.Slice;
import io.cleave.lsm.table.TableFiles;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicLong;

class LsmTreeTest {
    private static final LsmOptions SMALL = new LsmOptions(200, 4, 2000, 2, 4000, 3);

    private final MemoryBlobs blobs = new MemoryBlobs();
    private final TableFiles files = new TableFiles(blobs, 1 << 20);
    private final LsmTree tree = new LsmTree(files, SMALL);

    @Test
    void aWatchHearsOfKeysThatAreOnlyNewer() {
        tree.write(Bytes.utf8("k"), 5, RowTest.change(RowChange.Kind.UPSERT, "1=x"));
        assertThat(newerInGet("k", 4)).isTrue();
        assertThat(newerInGet("k", 5)).isFalse();
        assertThat(newerInGet("j", 4)).isFalse();
        assertThat(newerInScan("a", "z", 4)).isTrue();
        assertThat(newerInScan("l", "z", 4)).isFalse();
        assertThat(newerInScan("a", "k", 4)).isFalse();
    }

    @Test
    void aWatchHearsOfAnErase() {
        tree.write(Bytes.utf8("k"), 5, RowChange.ERASE);
        assertThat(newerInGet("k", 4)).isTrue();
        tree.flushed(1, tree.maintenance().writeTables(tree.freeze(), 0));
        assertThat(newerInGet("k", 4)).isTrue();
        assertThat(newerInScan("a", "z", 4)).isTrue();
    }

    @Test
    void compactionLeavesARowToWhoReadsTheNewestMomentWithoutKeepingIt() {
        tree.write(Bytes.utf8("k"), 5, RowTest.change(RowChange.Kind.REPLACE, "1=old"));
        Row row =
                tree.getNewest(
                        Bytes.utf8("k"),
                        Projection.ALL,
                        () -> {
                            // Nobody keeps the moment 5, so the version of it goes.
                            Bytes change = RowTest.change(RowChange.Kind.REPLACE, "1=new");
                            tree.write(Bytes.utf8("k"), 6, change);
                            tree.flushed(1, tree.maintenance().writeTables(tree.freeze(), 6));
                            return 5;
                        });
        assertThat(tree.get(Bytes.utf8("k"), Projection.ALL, 5, ReadWatch.NONE)).isNull();
        assertThat(row).isNotNull();
    }

    @Test
    void laterWritesOfOneTimestampAreOnTop() {
        tree.write(Bytes.utf8("k"), 5, RowTest.change(RowChange.Kind.REPLACE, "1=a", "2=b"));
        tree.write(Bytes.utf8("k"), 5, RowTest.change(RowChange.Kind.UPSERT, "2=c"));
        assertThat(field("k", 1)).isEqualTo("a");
        assertThat(field("k", 2)).isEqualTo("c");
        tree.flushed(1, tree.maintenance().writeTables(tree.freeze(), 0));
        assertThat(field("k", 2)).isEqualTo("c");
    }

    @Test
    void timestampsOfAKeyMustNotDecrease() {
        tree.write(Bytes.utf8("k"), 5, RowChange.ERASE);
        assertThatThrownBy(() -> tree.write(Bytes.utf8("k"), 4, RowChange.ERASE))
                .isInstanceOf(IllegalStateException.class);
    }

    @Test
    void aKeyMayBeWrittenAfterAnotherThatIsNewer() {
        tree.write(Bytes.utf8("new"), 9, RowTest.change(RowChange.Kind.REPLACE, "1=n"));
        tree.eraseRange(Bytes.utf8("x"), null, 10);
        tree.write(Bytes.utf8("old"), 5, RowTest.change(RowChange.Kind.REPLACE, "1=o"));
        tree.flushed(1, tree.maintenance().writeTables(tree.freeze(), 4));
        assertThat(tree.get(Bytes.utf8("old"), Projection.ALL, 4, ReadWatch.NONE)).isNull();
        assertThat(tree.get(Bytes.utf8("old"), Projection.ALL, 5, ReadWatch.NONE)).isNotNull();
        assertThat(tree.get(Bytes.utf8("new"), Projection.ALL, 8, ReadWatch.NONE)).isNull();
        assertThat(field("new", 1)).isEqualTo("n");
    }

    @Test
    void aFileThatIsErasedAsAWholeIsNotRead() {
        for (int row = 0; row < 100; row++) {
            Bytes change = RowTest.change(RowChange.Kind.REPLACE, "1=" + row);
            tree.write(Bytes.utf8("k" + (100 + row)), 5, change);
        }
        tree.flushed(1, tree.maintenance().writeTables(tree.freeze(), 0));
        tree.eraseRange(Bytes.utf8("k"), Bytes.utf8("l"), 6);
        tree.write(Bytes.utf8("k150"), 7, RowTest.change(RowChange.Kind.REPLACE, "1=new"));
        long before = files.bytesRead();
        assertThat(rows(7)).isEqualTo(1);
        assertThat(rows(6)).isZero();
        assertThat(files.bytesRead()).isEqualTo(before);
        // Whoever looks at an earlier time sees it.
        assertThat(rows(5)).isEqualTo(100);
        assertThat(files.bytesRead()).isGreaterThan(before);
    }

    private long rows(long snapshot) {
        RowCursor cursor =
                tree.scan(
                        Bytes.utf8("a"),
                        null,
                        Projection.ALL,
                        snapshot,
                        Direction.FORWARD,
                        ReadWatch.NONE);
        long rows = 0;
        while (cursor.next()) {
            rows++;
        }
        return rows;
    }

    @Test
    void memtablesAreFlushedOldestFirst() {
        tree.write(Bytes.utf8("k"), 5, RowChange.ERASE);
        assertThat(tree.freeze()).isEqualTo(1);
        assertThat(tree.freeze()).isEqualTo(2);
        assertThat(tree.maintenance().writeTables(2, 0)).isEmpty();
        assertThatThrownBy(() -> tree.flushed(2, List.of()))
                .isInstanceOf(IllegalStateException.class);
        tree.flushed(1, tree.maintenance().writeTables(1, 0));
        tree.flushed(2, List.of());
        assertThat(tree.frozenBytes()).isZero();
        assertThat(tree.activeBytes()).isZero();
        assertThat(tree.lastGeneration()).isEqualTo(2);
    }

    @Test
    void changesAreFoundWhereverTheyLie() {
        tree.write(Bytes.utf8("a"), 1, RowTest.change(RowChange.Kind.REPLACE, "1=x"));
        tree.write(Bytes.utf8("b"), 2, RowTest.change(RowChange.Kind.REPLACE, "1=x"));
        maintain(2);
        tree.write(Bytes.utf8("a"), 3, RowTest.change(RowChange.Kind.UPSERT, "1=y"));
        tree.write(Bytes.utf8("a"), 4, RowChange.ERASE);
        tree.write(Bytes.utf8("c"), 5, RowTest.change(RowChange.Kind.REPLACE, "1=x"));
        maintain(2);
        tree.write(Bytes.utf8("c"), 6, RowChange.ERASE);
        tree.write(Bytes.utf8("d"), 7, RowTest.change(RowChange.Kind.REPLACE, "1=x"));
        assertThat(changes("a", null, 2, 6)).containsExactly("a [3, 4]", "c [5, 6]");
        assertThat(changes("a", null, 3, 7)).containsExactly("a [4]", "c [5, 6]", "d [7]");
        assertThat(changes("b", "d", 0, 7)).containsExactly("b [2]", "c [5, 6]");
        assertThat(changes("a", null, 7, 9)).isEmpty();
    }

    private List<String> changes(String from, @Nullable String to, long after, long through) {
        ChangeCursor cursor =
                tree.changes(Bytes.utf8(from), to == null ? null : Bytes.utf8(to), after, through);
        List<String> found = new ArrayList<>();
        while (cursor.next()) {
            String key = new String(cursor.key().array(), StandardCharsets.UTF_8);
            found.add(key + " " + cursor.timestamps());
        }
        return found;
    }

    @Test
    void statisticsCountLevels() {
        for (int generation = 1; generation <= 2; generation++) {
            for (int row = 0; row < 100; row++) {
                Bytes change = RowTest.change(RowChange.Kind.UPSERT, "1=" + row);
                tree.write(Bytes.utf8("k" + row), generation, change);
            }
            tree.flushed(generation, tree.maintenance().writeTables(tree.freeze(), 0));
        }
        assertThat(tree.statistics().rows()).isEqualTo(100);
        assertThat(tree.statistics().runs()).isEqualTo(3);

        Compaction compaction = tree.maintenance().pickCompaction(2).orElseThrow();
        tree.compacted(compaction.inputs(), tree.maintenance().runCompaction(compaction, 2));

        TreeStatistics statistics = tree.statistics();
        assertThat(statistics.rows()).isEqualTo(100);
        assertThat(statistics.runs()).isEqualTo(2);
        assertThat(statistics.memtableBytes()).isZero();
        assertThat(statistics.levels()).hasSize(1);
        assertThat(statistics.levels().getFirst().level()).isEqualTo(LsmOptions.LAST_LEVEL);
        assertThat(statistics.tableBytes())
                .isEqualTo(tree.slices().stream().mapToLong(Slice::bytes).sum());
    }

    @Test
    void aFailedFlushLeavesNoBlob() {
        tree.write(Bytes.utf8("a"), 1, RowTest.change(RowChange.Kind.UPSERT, "1=x"));
        // A field that would have 2 MB.
        byte[] broken = {RowChange.Kind.UPSERT.code, 1, 7, (byte) 0x80, (byte) 0x80, 0x7F};
        tree.write(Bytes.utf8("b"), 1, Bytes.wrap(broken));
        long generation = tree.freeze();
        assertThatThrownBy(() -> tree.maintenance().writeTables(generation, 5))
                .isInstanceOf(IndexOutOfBoundsException.class);
        assertThat(blobs.list()).isEmpty();
    }

    @Test
    void slicesAreWrittenAndReadBack() throws IOException {
        var slice = new Slice(7, 3, 9, Bytes.utf8("a"), Bytes.utf8("b"), 10, 11, -12, 13);
        var open = new Slice(8, 0, 1, Bytes.EMPTY, null, 0, 0, 0, 0);
        var out = new ByteWriter(64);
        slice.writeTo(out);
        open.writeTo(out);
        var in = new ByteReader(out.toArray(), 0, out.length());
        assertThat(Slice.readFrom(in)).isEqualTo(slice);
        assertThat(Slice.readFrom(in)).isEqualTo(open);
    }

    /// Two rows are always written with the same value; no reader may see them differ, while
    /// memtables come and go and tables are merged and deleted.
    @Test
    void readersSeeWholeCommitsWhileTheTreeChanges() {
        var visible = new AtomicLong();
        int commits = 6_000;
        List<AtomicLong> inUse = List.of(new AtomicLong(), new AtomicLong());
        List<CompletableFuture<Void>> readers = new ArrayList<>();
        for (AtomicLong slot : inUse) {
            readers.add(CompletableFuture.runAsync(() -> readPairs(visible, slot, commits)));
        }
        for (int commit = 1; commit <= commits; commit++) {
            Bytes change = RowTest.change(RowChange.Kind.UPSERT, "1=" + commit);
            tree.write(Bytes.utf8("left"), commit, change);
            tree.write(Bytes.utf8("middle" + commit % 50), commit, change);
            tree.write(Bytes.utf8("right"), commit, change);
            visible.set(commit);
            if (commit % 300 == 0) {
                maintain(inUse.stream().mapToLong(AtomicLong::get).min().orElseThrow());
            }
        }
        readers.forEach(CompletableFuture::join);
    }

    private void readPairs(AtomicLong visible, AtomicLong inUse, int commits) {
        long snapshot = 0;
        while (snapshot < commits) {
            // First what may not be folded away, then what to read: never less than that.
            inUse.set(visible.get());
            snapshot = visible.get();
            if (snapshot > 0) {
                checkPair(snapshot);
            }
        }
        inUse.set(commits);
    }

    private void checkPair(long snapshot) {
        RowCursor cursor =
                tree.scan(
                        Bytes.EMPTY,
                        null,
                        Projection.ALL,
                        snapshot,
                        Direction.BACKWARD,
                        ReadWatch.NONE);
        assertThat(cursor.next()).isTrue();
        String right = field(cursor.row(), 1);
        while (!cursor.row().key().equals(Bytes.utf8("left"))) {
            assertThat(cursor.next()).isTrue();
        }
        assertThat(field(cursor.row(), 1)).isEqualTo(right).isEqualTo("" + snapshot);
        Row row = tree.get(Bytes.utf8("left"), Projection.ALL, snapshot, ReadWatch.NONE);
        assertThat(row == null ? "" : field(row, 1)).isEqualTo(right);
    }

    private void maintain(long oldestSnapshot) {
        long generation = tree.freeze();
        tree.flushed(generation, tree.maintenance().writeTables(generation, oldestSnapshot));
        tree.maintenance()
                .pickCompaction(oldestSnapshot)
                .ifPresent(
                        compaction -> {
                            List<Slice> added =
                                    tree.maintenance().runCompaction(compaction, oldestSnapshot);
                            tree.compacted(compaction.inputs(), added);
                            if (compaction.kind() != Compaction.Kind.MOVE) {
                                compaction.inputs().forEach(s -> files.delete(s.blobId()));
                            }
                        });
    }

    private boolean newerInGet(String key, long snapshot) {
        boolean[] newer = {false};
        tree.get(Bytes.utf8(key), Projection.ALL, snapshot, () -> newer[0] = true);
        return newer[0];
    }

    private boolean newerInScan(String from, String to, long snapshot) {
        boolean[] newer = {false};
        RowCursor cursor =
                tree.scan(
                        Bytes.utf8(from),
                        Bytes.utf8(to),
                        Projection.ALL,
                        snapshot,
                        Direction.FORWARD,
                        () -> newer[0] = true);
        while (cursor.next()) {}
        return newer[0];
    }

    private String field(String key, int column) {
        Row row = tree.get(Bytes.utf8(key), Projection.ALL, Long.MAX_VALUE, ReadWatch.NONE);
        return row == null ? "no row" : field(row, column);
    }

    private static String field(Row row, int column) {
        int index = row.fieldIndex(column);
        int length = row.to(index) - row.from(index);
        return new String(row.data(index), row.from(index), length, StandardCharsets.UTF_8);
    }
}
