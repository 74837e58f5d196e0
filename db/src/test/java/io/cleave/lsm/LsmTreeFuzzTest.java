package io.cleave.lsm;

import static org.assertj.core.api.Assertions.assertThat;

import io.cleave.base.Bytes;
import io.cleave.base.Direction;
import io.cleave.blob.MemoryBlobs;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;

/// A tree under random writes, flushes, compactions and restarts, against [LsmModel].
class LsmTreeFuzzTest {
    private static final int COLUMNS = 12;
    private static final List<RowChange.Kind> KINDS = List.of(RowChange.Kind.values());

    @Test
    void aTreeReadsAsItsModelDoes() {
        Long given = Long.getLong("seed");
        if (given != null) {
            run(given);
            return;
        }
        for (long seed = 1; seed <= 10; seed++) {
            run(seed);
        }
    }

    private static void run(long seed) {
        try {
            new Round(seed).run();
        } catch (RuntimeException | AssertionError e) {
            throw new AssertionError("to repeat: -Dseed=" + seed, e);
        }
    }

    private static final class Round {
        private final Random random;
        private final MemoryBlobs blobs = new MemoryBlobs();
        private final LsmOptions options;
        private final TreeSettings settings;
        private final LsmModel model = new LsmModel();
        private final Queue<Long> frozen = new ArrayDeque<>();
        private final int alphabet;
        private final int keyLength;
        private TableFiles files;
        private LsmTree tree;
        private long now = 10;

        /// No snapshot before it is read any more.
        private long oldest;

        Round(long seed) {
            random = new Random(seed);
            options =
                    new LsmOptions(
                            16 + random.nextInt(400),
                            1 + random.nextInt(5),
                            100 + random.nextInt(2000),
                            1 + random.nextInt(4),
                            500 + random.nextInt(4000),
                            2 + random.nextInt(3));
            alphabet = 2 + random.nextInt(20);
            keyLength = 1 + random.nextInt(5);
            files = new TableFiles(blobs, random.nextInt(20_000));
            settings = randomSettings();
            tree = new LsmTree(files, options, settings);
        }

        private TreeSettings randomSettings() {
            List<ColumnGroup> groups = new ArrayList<>();
            int count = 1 + random.nextInt(3);
            for (int group = 0; group < count; group++) {
                List<Integer> columns = group == 0 ? List.of() : List.of(group, group + 2);
                groups.add(
                        new ColumnGroup(
                                "group " + group,
                                columns,
                                random.nextBoolean() ? Compression.LZ4 : Compression.NONE,
                                "",
                                ColumnGroup.CacheMode.values()[random.nextInt(3)]));
            }
            return new TreeSettings(groups, random.nextBoolean(), null);
        }

        void run() {
            int steps = 1200;
            for (int step = 0; step < steps; step++) {
                switch (random.nextInt(20)) {
                    case 0 -> frozen.add(tree.freeze());
                    case 1 -> flush();
                    case 2 -> compact();
                    case 3, 4 -> checkGet();
                    case 5 -> checkScan();
                    case 6 -> checkOldCursor();
                    case 7 -> oldest += random.nextLong(now - oldest + 1) / 3;
                    case 8 -> restart();
                    case 9 -> eraseRange();
                    case 10 -> compactFully();
                    default -> write();
                }
            }
            while (!frozen.isEmpty()) {
                flush();
            }
            while (compact()) {
                checkScan();
            }
            checkEverything(now);
            checkEverything(oldest);
            oldest = now;
            frozen.add(tree.freeze());
            flush();
            while (compact()) {}
            assertThat(tree.erases()).as("those that hide nothing are forgotten").isEmpty();
            checkEverything(now);
            assertThat(new HashSet<>(blobs.list())).isEqualTo(named());
        }

        private void write() {
            now += random.nextInt(3);
            Bytes key = key();
            RowChange.Kind kind = KINDS.get(random.nextInt(KINDS.size()));
            Map<Integer, @Nullable String> cells = new TreeMap<>();
            if (kind != RowChange.Kind.ERASE) {
                for (int count = random.nextInt(4); count > 0; count--) {
                    String cell = random.nextInt(5) == 0 ? null : "v" + random.nextInt(1000);
                    cells.put(random.nextInt(COLUMNS), cell);
                }
            }
            model.write(key, new LsmModel.Change(now, kind, cells));
            tree.write(key, now, encode(kind, cells));
        }

        private void eraseRange() {
            if (random.nextInt(4) != 0) {
                return;
            }
            Bytes from = key();
            Bytes to = random.nextInt(4) == 0 ? null : key();
            if (to != null && from.compareTo(to) >= 0) {
                return;
            }
            now++;
            model.eraseRange(from, to, now);
            tree.eraseRange(from, to, now);
            now++;
        }

        private void flush() {
            if (frozen.isEmpty()) {
                return;
            }
            long generation = frozen.remove();
            tree.flushed(generation, tree.writeTables(generation, oldest));
        }

        private boolean compact() {
            return compact(tree.pickCompaction(oldest));
        }

        private void compactFully() {
            long generation = tree.lastGeneration() - frozen.size();
            if (random.nextInt(20) == 0) {
                while (compact(tree.pickFullCompaction(generation, oldest))) {}
                checkEverything(now);
            }
        }

        private boolean compact(Optional<Compaction> picked) {
            if (picked.isEmpty()) {
                return false;
            }
            List<Slice> added = tree.runCompaction(picked.get(), oldest);
            tree.compacted(picked.get().inputs(), added);
            Set<Long> named = named();
            for (Slice slice : picked.get().inputs()) {
                if (!named.contains(slice.blobId())) {
                    files.delete(slice.blobId());
                }
            }
            return true;
        }

        private Set<Long> named() {
            Set<Long> named = new HashSet<>();
            tree.slices().forEach(slice -> named.add(slice.blobId()));
            return named;
        }

        /// What is in memory is flushed first: replaying a log is not this package's work.
        private void restart() {
            if (random.nextInt(8) != 0) {
                return;
            }
            frozen.add(tree.freeze());
            while (!frozen.isEmpty()) {
                flush();
            }
            List<Slice> slices = cut(tree.slices());
            long generation = tree.lastGeneration();
            files = new TableFiles(blobs, 10_000);
            List<RangeErase> erases = tree.erases();
            tree = new LsmTree(files, options, settings);
            tree.restore(slices, generation, erases);
        }

        /// As after a split and a merge: two slices of one table where one was.
        private List<Slice> cut(List<Slice> slices) {
            Bytes at = key();
            List<Slice> all = new ArrayList<>();
            for (Slice slice : slices) {
                if (slice.contains(at) && !slice.from().equals(at)) {
                    all.add(withRange(slice, slice.from(), at));
                    all.add(withRange(slice, at, slice.to()));
                } else {
                    all.add(slice);
                }
            }
            return all;
        }

        private static Slice withRange(Slice slice, Bytes from, @Nullable Bytes to) {
            return new Slice(
                    slice.blobId(),
                    slice.level(),
                    slice.generation(),
                    from,
                    to,
                    slice.bytes() / 2,
                    slice.rows() / 2,
                    slice.minTimestamp(),
                    slice.maxTimestamp(),
                    slice.erasedThrough(),
                    slice.ingestedAt());
        }

        private void checkGet() {
            Bytes key = key();
            long snapshot = snapshot();
            boolean[] newer = {false};
            Row row = tree.get(key, snapshot, () -> newer[0] = true);
            assertThat(row == null ? null : found(row)).isEqualTo(model.get(key, snapshot));
            checkNewer(newer[0], key, key.successor(), snapshot);
        }

        private void checkScan() {
            Bytes from = random.nextInt(4) == 0 ? Bytes.EMPTY : key();
            Bytes to = random.nextInt(4) == 0 ? null : key();
            checkScan(from, to, snapshot(), Direction.FORWARD);
            checkScan(from, to, snapshot(), Direction.BACKWARD);
        }

        private void checkEverything(long snapshot) {
            checkScan(Bytes.EMPTY, null, snapshot, Direction.FORWARD);
            checkScan(Bytes.EMPTY, null, snapshot, Direction.BACKWARD);
        }

        private void checkScan(Bytes from, @Nullable Bytes to, long snapshot, Direction direction) {
            boolean[] newer = {false};
            RowCursor cursor = tree.scan(from, to, snapshot, direction, () -> newer[0] = true);
            List<LsmModel.Found> rows = new ArrayList<>();
            while (cursor.next()) {
                rows.add(found(cursor.row()));
            }
            assertThat(rows).isEqualTo(model.scan(from, to, snapshot, direction));
            assertThat(cursor.next()).isFalse();
            checkNewer(newer[0], from, to, snapshot);
        }

        private void checkNewer(boolean newer, Bytes from, @Nullable Bytes to, long snapshot) {
            if (model.anyNewer(from, to, snapshot)) {
                assertThat(newer).isTrue();
            } else if (newer) {
                assertThat(model.maybeNewer(from, to, snapshot)).isTrue();
            }
        }

        /// A cursor sees its snapshot whatever happens to the tree meanwhile.
        private void checkOldCursor() {
            Direction direction = random.nextBoolean() ? Direction.FORWARD : Direction.BACKWARD;
            long snapshot = now;
            now++;
            RowCursor cursor = tree.scan(Bytes.EMPTY, null, snapshot, direction, ReadWatch.NONE);
            List<LsmModel.Found> rows = new ArrayList<>();
            for (int count = random.nextInt(5); count > 0 && cursor.next(); count--) {
                rows.add(found(cursor.row()));
            }
            for (int count = random.nextInt(20); count > 0; count--) {
                write();
            }
            frozen.add(tree.freeze());
            while (!frozen.isEmpty()) {
                flush();
            }
            compact();
            while (cursor.next()) {
                rows.add(found(cursor.row()));
            }
            assertThat(rows).isEqualTo(model.scan(Bytes.EMPTY, null, snapshot, direction));
        }

        private Bytes key() {
            byte[] key = new byte[random.nextInt(keyLength + 1)];
            for (int index = 0; index < key.length; index++) {
                key[index] = (byte) (random.nextInt(alphabet) * 13);
            }
            return Bytes.wrap(key);
        }

        private long snapshot() {
            return oldest + random.nextLong(now - oldest + 1);
        }
    }

    static Bytes encode(RowChange.Kind kind, Map<Integer, @Nullable String> cells) {
        int[] columns = new int[cells.size()];
        byte[] @Nullable [] values = new byte[cells.size()] @Nullable [];
        int index = 0;
        for (var cell : cells.entrySet()) {
            columns[index] = cell.getKey();
            String text = cell.getValue();
            values[index++] = text == null ? null : text.getBytes(StandardCharsets.UTF_8);
        }
        return RowChange.encode(kind, columns, values);
    }

    static LsmModel.Found found(Row row) {
        Map<Integer, @Nullable String> cells = new TreeMap<>();
        for (int column = 0; column < COLUMNS; column++) {
            int index = row.cellIndex(column);
            if (index >= 0) {
                cells.put(
                        column,
                        new String(
                                row.data(index),
                                row.from(index),
                                row.to(index) - row.from(index),
                                StandardCharsets.UTF_8));
            }
        }
        return new LsmModel.Found(row.key(), row.timestamp(), cells);
    }
}
