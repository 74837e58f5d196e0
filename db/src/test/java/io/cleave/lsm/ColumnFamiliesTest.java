package io.cleave.lsm;

import static org.assertj.core.api.Assertions.assertThat;

import io.cleave.base.Bytes;
import io.cleave.base.Direction;
import io.cleave.blob.MemoryBlobs;
import io.cleave.lsm.row.FieldsTest;
import io.cleave.lsm.row.Projection;
import io.cleave.lsm.row.ReadWatch;
import io.cleave.lsm.row.Row;
import io.cleave.lsm.row.RowChange;
import io.cleave.lsm.row.RowCursor;
import io.cleave.lsm.row.RowTest;
import io.cleave.lsm.table.Compression;
import io.cleave.lsm.table.Expiry;
import io.cleave.lsm.table.LsmOptions;
import io.cleave.lsm.table.Slice;
import io.cleave.lsm.table.StoredFamily;
import io.cleave.lsm.table.StoredFamily.CacheMode;
import io.cleave.lsm.table.TableFiles;
import io.cleave.lsm.table.TableStatistics;
import io.cleave.lsm.table.TreeSettings;

import org.junit.jupiter.api.Test;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;

class ColumnFamiliesTest {
    private static final LsmOptions OPTIONS = new LsmOptions(1000, 16, 1 << 20, 2, 1 << 20, 10);
    private static final int ROWS = 2000;
    private static final int CACHE_BYTES = 2 << 20;

    private final MemoryBlobs blobs = new MemoryBlobs(Set.of("", "hdd"));
    private final TableFiles files = new TableFiles(blobs, CACHE_BYTES);

    @Test
    void aReadOfOneFamilyReadsNoOther() {
        LsmTree tree = tree(families("", CacheMode.REGULAR));
        fill(tree);
        long narrow = bytesReadBy(tree, Projection.of(1));
        long wide = bytesReadBy(tree, Projection.ALL);
        assertThat(narrow).isPositive().isLessThan(wide / 5);
        assertThat(bytesReadBy(tree, Projection.NOTHING)).isPositive().isLessThan(narrow);
    }

    @Test
    void rowsReadBackWholeAndInPart() {
        LsmTree tree = tree(families("hdd", CacheMode.REGULAR));
        fill(tree);
        Row whole = get(tree, 77, Projection.ALL);
        assertThat(FieldsTest.text(whole)).isEqualTo("1=n77 2=" + wide(77) + " 3=default 77");
        assertThat(FieldsTest.text(get(tree, 77, Projection.of(1)))).isEqualTo("1=n77");
        assertThat(FieldsTest.text(get(tree, 77, Projection.of(1, 3))))
                .isEqualTo("1=n77 3=default 77");
        assertThat(FieldsTest.text(get(tree, 77, Projection.NOTHING))).isEmpty();
        assertThat(scan(tree, Projection.of(2, 3), Direction.BACKWARD).getFirst())
                .isEqualTo("2=" + wide(ROWS - 1) + " 3=default " + (ROWS - 1));
    }

    @Test
    void aFamilyOnAnotherMediumLivesAndDiesWithItsTable() {
        LsmTree tree = tree(families("hdd", CacheMode.REGULAR));
        fill(tree);
        Slice slice = tree.slices().getFirst();
        List<Long> ids = files.blobIds(slice.blobId());
        assertThat(ids).hasSize(2);
        assertThat(blobs.list()).containsExactlyInAnyOrderElementsOf(ids);
        assertThat(slice.bytes())
                .isEqualTo(ids.stream().mapToLong(id -> blobs.open(id).size()).sum());
        assertThat(files.check(slice.blobId())).isNull();

        tree.compacted(List.of(slice), List.of());
        files.delete(slice.blobId());
        assertThat(blobs.list()).isEmpty();
        files.delete(slice.blobId());
    }

    @Test
    void whatIsPinnedIsReadFromMemory() {
        for (CacheMode mode : List.of(CacheMode.PINNED, CacheMode.PINNED_COMPRESSED)) {
            LsmTree tree = tree(families("", mode));
            fill(tree);
            long pinned = tree.statistics().pinnedBytes();
            assertThat(pinned).isPositive();
            assertThat(bytesReadBy(tree, Projection.of(1))).isLessThan(bytesOfKeys(tree) + 1);

            tree.configure(families("", CacheMode.REGULAR));
            tree.maintenance().pinFamilies();
            assertThat(tree.statistics().pinnedBytes()).isZero();
            assertThat(scan(tree, Projection.of(1), Direction.FORWARD)).hasSize(ROWS);
        }
    }

    @Test
    void whatIsPinnedTakesHalfOfTheCacheAtTheMost() {
        for (CacheMode mode : List.of(CacheMode.PINNED, CacheMode.PINNED_COMPRESSED)) {
            for (int table = 0; table < 4; table++) {
                fill(tree(families("", mode)));
            }
            LsmTree last = tree(families("", mode));
            fill(last);
            assertThat(last.statistics().pinnedBytes()).isLessThan(CACHE_BYTES / 4);
            assertThat(files.cacheStatistics().bytes()).isLessThanOrEqualTo(CACHE_BYTES);
            assertThat(scan(last, Projection.of(1), Direction.FORWARD)).hasSize(ROWS);
            assertThat(files.cacheStatistics().bytes()).isLessThanOrEqualTo(CACHE_BYTES);
        }
    }

    @Test
    void newSettingsTakeEffectWhenATableIsWrittenAnew() {
        LsmTree tree = tree(TreeSettings.DEFAULT);
        fill(tree);
        Slice old = tree.slices().getFirst();
        assertThat(isStale(tree, old)).isFalse();
        tree.configure(families("hdd", CacheMode.REGULAR));
        assertThat(isStale(tree, old)).isTrue();

        var rewrite = new Compaction(List.of(old), 1, Compaction.Kind.MERGE, true, "new settings");
        List<Slice> written = tree.maintenance().runCompaction(rewrite, ROWS);
        tree.compacted(List.of(old), written);
        assertThat(isStale(tree, written.getFirst())).isFalse();
        assertThat(files.open(written.getFirst().blobId()).hasFilter()).isTrue();
        assertThat(tree.statistics().families())
                .extracting(TreeStatistics.Family::name)
                .containsExactlyInAnyOrder("default", "narrow", "wide");
        assertThat(FieldsTest.text(get(tree, 5, Projection.of(3)))).isEqualTo("3=default 5");
    }

    @Test
    void filtersAreCounted() {
        LsmTree tree = tree(families("", CacheMode.REGULAR));
        fill(tree);
        for (int row = 0; row < ROWS; row++) {
            assertThat(get(tree, row, Projection.NOTHING)).isNotNull();
            Bytes absent = Bytes.utf8("key %05dx".formatted(row));
            assertThat(tree.get(absent, Projection.ALL, ROWS, ReadWatch.NONE)).isNull();
        }
        FilterStatistics filter = tree.statistics().filter();
        assertThat(filter.checks()).isBetween(2L * ROWS - 1, 2L * ROWS);
        assertThat(filter.truePositives()).isEqualTo(ROWS);
        assertThat(filter.falsePositives()).isLessThan(ROWS / 20);
    }

    @Test
    void statisticsKnowTheExpiryOfTheRows() {
        var expiry = new Expiry(9, TimeUnit.SECONDS);
        LsmTree tree = tree(new TreeSettings(List.of(StoredFamily.DEFAULT), false, expiry));
        for (int row = 0; row < 10; row++) {
            byte[] seconds = {(byte) (row + 5), 0, 0, 0};
            tree.write(
                    key(row),
                    1,
                    RowChange.encode(
                            RowChange.Kind.REPLACE, new int[] {9}, new byte[][] {seconds}));
        }
        TableStatistics statistics = flush(tree);
        assertThat(statistics.earliestExpiry()).isEqualTo(5_000_000);
        assertThat(statistics.latestExpiry()).isEqualTo(14_000_000);

        tree.write(key(11), 2, RowTest.change(RowChange.Kind.REPLACE, "1=x"));
        assertThat(flush(tree).latestExpiry()).isEqualTo(Expiry.NEVER);
    }

    @Test
    void memtablesAreExpectedToBeCompressedAsFilesAre() {
        StoredFamily all =
                new StoredFamily("default", List.of(), Compression.LZ4, "", CacheMode.REGULAR);
        LsmTree tree = tree(new TreeSettings(List.of(all), true, null));
        fill(tree);
        long files = tree.statistics().tableBytes();
        assertThat(tree.statistics().unflushedBytes()).isZero();
        for (int row = 0; row < ROWS; row++) {
            tree.write(
                    key(ROWS + row),
                    ROWS,
                    RowTest.change(
                            RowChange.Kind.REPLACE,
                            "1=n" + row,
                            "2=" + wide(row),
                            "3=default " + row));
        }
        TreeStatistics statistics = tree.statistics();
        assertThat(statistics.tableBytes()).isEqualTo(files);
        assertThat(statistics.unflushedBytes())
                .isPositive()
                .isLessThan(statistics.memtableBytes() / 2);
        flush(tree);
        long flushed = tree.statistics().tableBytes() - files;
        assertThat((double) statistics.unflushedBytes() / flushed).isBetween(0.8, 1.25);
    }

    private boolean isStale(LsmTree tree, Slice slice) {
        return files.open(slice.blobId()).isStale(tree.settings());
    }

    private LsmTree tree(TreeSettings settings) {
        return new LsmTree(files, OPTIONS, settings);
    }

    private static TreeSettings families(String medium, CacheMode mode) {
        return new TreeSettings(
                List.of(
                        StoredFamily.DEFAULT,
                        new StoredFamily("narrow", List.of(1), Compression.LZ4, "", mode),
                        new StoredFamily(
                                "wide", List.of(2), Compression.NONE, medium, CacheMode.REGULAR)),
                true,
                null);
    }

    private void fill(LsmTree tree) {
        for (int row = 0; row < ROWS; row++) {
            tree.write(
                    key(row),
                    row,
                    RowTest.change(
                            RowChange.Kind.REPLACE,
                            "1=n" + row,
                            "2=" + wide(row),
                            "3=default " + row));
        }
        flush(tree);
    }

    private TableStatistics flush(LsmTree tree) {
        long generation = tree.freeze();
        List<Slice> slices = tree.maintenance().writeTables(generation, ROWS);
        tree.flushed(generation, slices);
        return files.open(slices.getFirst().blobId()).statistics();
    }

    private static String wide(int row) {
        return Integer.toString(row).repeat(50);
    }

    private static Bytes key(int row) {
        return Bytes.utf8("key %05d".formatted(row));
    }

    private static Row get(LsmTree tree, int row, Projection projection) {
        return Optional.ofNullable(tree.get(key(row), projection, ROWS, ReadWatch.NONE))
                .orElseThrow();
    }

    private static List<String> scan(LsmTree tree, Projection projection, Direction direction) {
        RowCursor cursor =
                tree.scan(Bytes.EMPTY, null, projection, ROWS, direction, ReadWatch.NONE);
        List<String> rows = new ArrayList<>();
        while (cursor.next()) {
            rows.add(FieldsTest.text(cursor.row()));
        }
        return rows;
    }

    /// By a scan that finds nothing in the cache.
    private long bytesReadBy(LsmTree tree, Projection projection) {
        tree.slices().forEach(slice -> files.open(slice.blobId()).dropBlocks());
        long before = files.bytesRead();
        assertThat(scan(tree, projection, Direction.FORWARD)).hasSize(ROWS);
        return files.bytesRead() - before;
    }

    private long bytesOfKeys(LsmTree tree) {
        return tree.slices().stream()
                .mapToLong(slice -> files.open(slice.blobId()).statistics().keyBytes())
                .sum();
    }
}
