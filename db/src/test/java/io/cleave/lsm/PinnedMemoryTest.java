package io.cleave.lsm;

import static org.assertj.core.api.Assertions.assertThat;

import io.cleave.base.Bytes;
import io.cleave.blob.MemoryBlobs;
import io.cleave.lsm.row.RowChange;
import io.cleave.lsm.row.RowTest;
import io.cleave.lsm.table.Compression;
import io.cleave.lsm.table.LsmOptions;
import io.cleave.lsm.table.Slice;
import io.cleave.lsm.table.StoredFamily;
import io.cleave.lsm.table.StoredFamily.CacheMode;
import io.cleave.lsm.table.TableFiles;
import io.cleave.lsm.table.TableReader;
import io.cleave.lsm.table.TreeSettings;

import org.junit.jupiter.api.Test;

import java.util.ArrayList;
import java.util.List;

/// How much memory the pinned blocks of a tree take, also if trees share a file.
class PinnedMemoryTest {
    private static final LsmOptions OPTIONS = new LsmOptions(1000, 16, 1 << 20, 2, 1 << 20, 10);
    private static final int ROWS = 10_000;
    private static final long AMPLE = 16 << 20;

    @Test
    void aPartHasTheMemoryOfItsBlocksAndAllPartsHaveThatOfTheFile() {
        for (TreeSettings settings : settings()) {
            var files = new TableFiles(new MemoryBlobs(), AMPLE);
            LsmTree whole = filled(files, settings);
            long memory = whole.statistics().pinnedBytes();
            assertThat(memory).isPositive().isEqualTo(used(files));

            List<LsmTree> parts =
                    List.of(
                            whole.part(Bytes.EMPTY, key(2_500)),
                            whole.part(key(2_500), key(2_501)),
                            whole.part(key(2_501), key(7_500)),
                            whole.part(key(7_500), null));
            List<Long> shares = new ArrayList<>();
            parts.forEach(part -> shares.add(part.statistics().pinnedBytes()));
            assertThat(shares.stream().mapToLong(Long::longValue).sum()).isEqualTo(memory);
            assertThat(shares.get(0)).isBetween(memory * 2 / 10, memory * 3 / 10);
            // At most one block of keys with its fields.
            assertThat(shares.get(1)).isBetween(0L, memory / 20);
            assertThat(shares.get(2)).isBetween(memory * 45 / 100, memory * 55 / 100);
            assertThat(used(files)).isEqualTo(memory);

            LsmTree merged =
                    LsmTree.merged(
                            parts.subList(0, 3).stream().toList(), List.of(key(2_500), key(2_501)));
            assertThat(merged.statistics().pinnedBytes()).isEqualTo(memory - shares.get(3));
        }
    }

    @Test
    void memoryThatBecomesFreeIsUsed() {
        for (TreeSettings settings : settings()) {
            var ample = new TableFiles(new MemoryBlobs(), AMPLE);
            long memory = filled(ample, settings).pinnedBytes();
            var files = new TableFiles(new MemoryBlobs(), 2 * (memory * 3 / 2));
            LsmTree first = filled(files, settings);
            LsmTree second = filled(files, settings);
            long least = memory / 3;
            assertThat(first.pinnedBytes()).isEqualTo(memory);
            assertThat(second.pinnedBytes()).isBetween(least, memory / 2);
            assertThat(second.maintenance().pinFamilies()).isFalse();
            assertThat(used(files)).isEqualTo(first.pinnedBytes() + second.pinnedBytes());

            files.delete(first.slices().getFirst().blobId());
            assertThat(second.maintenance().pinFamilies()).isTrue();
            assertThat(second.pinnedBytes()).isEqualTo(memory).isEqualTo(used(files));
        }
    }

    @Test
    void oneFamilyIsLoadedAndReleasedWithoutTheOthers() {
        var files = new TableFiles(new MemoryBlobs(), AMPLE);
        LsmTree tree = filled(files, families(CacheMode.PINNED, CacheMode.REGULAR));
        long one = tree.pinnedBytes();
        assertThat(configured(tree, CacheMode.PINNED, CacheMode.PINNED_COMPRESSED))
                .isGreaterThan(one);
        assertThat(configured(tree, CacheMode.PINNED, CacheMode.REGULAR)).isEqualTo(one);
        assertThat(configured(tree, CacheMode.REGULAR, CacheMode.REGULAR)).isZero();
        assertThat(used(files)).isZero();
    }

    @Test
    void aDeletedFileTakesNoMemory() {
        for (TreeSettings settings : settings()) {
            var files = new TableFiles(new MemoryBlobs(), AMPLE);
            LsmTree tree = filled(files, settings);
            TableReader table = files.open(tree.slices().getFirst().blobId());
            files.delete(tree.slices().getFirst().blobId());
            assertThat(table.pin(settings)).isTrue();
            assertThat(used(files)).isZero();
        }
    }

    private static long configured(LsmTree tree, CacheMode keys, CacheMode fields) {
        tree.configure(families(keys, fields));
        assertThat(tree.maintenance().pinFamilies()).isTrue();
        return tree.pinnedBytes();
    }

    /// With fields beside their keys, and apart from them.
    private static List<TreeSettings> settings() {
        List<TreeSettings> all = new ArrayList<>();
        for (CacheMode mode : List.of(CacheMode.PINNED, CacheMode.PINNED_COMPRESSED)) {
            StoredFamily keys = new StoredFamily("default", List.of(), Compression.LZ4, "", mode);
            all.add(new TreeSettings(List.of(keys), false, null));
            all.add(families(mode, mode));
        }
        return all;
    }

    private static TreeSettings families(CacheMode keys, CacheMode fields) {
        return new TreeSettings(
                List.of(
                        new StoredFamily("default", List.of(), Compression.NONE, "", keys),
                        new StoredFamily("apart", List.of(1), Compression.LZ4, "", fields)),
                false,
                null);
    }

    private static LsmTree filled(TableFiles files, TreeSettings settings) {
        var tree = new LsmTree(files, OPTIONS, settings);
        for (int row = 0; row < ROWS; row++) {
            tree.write(
                    key(row), row + 1, RowTest.change(RowChange.Kind.REPLACE, "1=" + value(row)));
        }
        long generation = tree.freeze();
        List<Slice> written = tree.maintenance().writeTables(generation, ROWS);
        tree.flushed(generation, written);
        return tree;
    }

    private static String value(int row) {
        return "v%05d".formatted(row * 7_919L % 100_000).repeat(9);
    }

    private static long used(TableFiles files) {
        return files.cacheStatistics().pinnedBytes();
    }

    private static Bytes key(int row) {
        return Bytes.utf8("key %05d".formatted(row));
    }
}
