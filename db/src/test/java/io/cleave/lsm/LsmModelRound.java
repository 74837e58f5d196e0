package io.cleave.lsm;

import static org.assertj.core.api.Assertions.assertThat;

import io.cleave.base.Bytes;
import io.cleave.base.Direction;
import io.cleave.blob.MemoryBlobs;
import io.cleave.lsm.row.Keys;
import io.cleave.lsm.row.Projection;
import io.cleave.lsm.row.ReadWatch;
import io.cleave.lsm.row.Row;
import io.cleave.lsm.row.RowChange;
import io.cleave.lsm.row.RowCursor;
import io.cleave.lsm.table.Compression;
import io.cleave.lsm.table.LsmOptions;
import io.cleave.lsm.table.StoredFamily;
import io.cleave.lsm.table.TableFiles;
import io.cleave.lsm.table.TreeSettings;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/// A table of some tablets under random writes, reads, flushes, compactions, changes of settings,
/// splits, merges and crashes, against [LsmModel]. All of it follows from the seed.
final class LsmModelRound {
    private static final List<RowChange.Kind> KINDS = List.of(RowChange.Kind.values());
    private static final int MOST_TABLETS = 6;
    private static final int MOST_CURSORS = 3;

    private final Random random;
    private final MemoryBlobs blobs = new MemoryBlobs(Set.of("", "hdd"));
    private final LsmOptions options;
    private final LsmModel model = new LsmModel();
    private final int alphabet;
    private final int keyLength;

    /// What most keys begin with.
    private final byte[] common;

    /// In a calm round memtables become large, for little else happens than writes and reads.
    private final boolean calm;

    private TableFiles files;
    private TreeSettings settings;

    /// By their ranges, which together are all keys.
    private List<ModelTablet> tablets = new ArrayList<>();

    private final List<OpenCursor> cursors = new ArrayList<>();
    private long now = 10;

    /// No snapshot before it is read any more.
    private long oldest;

    /// Keys that will be written at a time that has passed, and which nobody else writes until
    /// then. No snapshot is taken there yet.
    private final TreeMap<Bytes, Long> late = new TreeMap<>();

    /// A scan that goes on while the tree changes.
    private record OpenCursor(
            RowCursor cursor,
            ModelTablet tablet,
            long snapshot,
            Direction direction,
            List<LsmModel.ModelRow> rows) {}

    LsmModelRound(long seed) {
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
        common = new byte[random.nextInt(12)];
        random.nextBytes(common);
        calm = random.nextInt(3) == 0;
        files = new TableFiles(blobs, random.nextInt(20_000));
        settings = randomSettings();
        tablets.add(new ModelTablet(Bytes.EMPTY, null, new LsmTree(files, options, settings)));
    }

    void run(int operations) {
        for (int operation = 0; operation < operations; operation++) {
            operate();
        }
        while (!late.isEmpty()) {
            writeLate();
        }
        while (!cursors.isEmpty()) {
            endCursor();
        }
        tablets.forEach(this::settle);
        checkEverything(now);
        checkEverything(oldest);
        oldest = now;
        tablets.forEach(this::settle);
        checkEverything(now);
        for (ModelTablet tablet : tablets) {
            assertThat(tablet.tree.erases()).as("what hides nothing is forgotten").isEmpty();
        }
        deleteUnnamed();
        assertThat(blobs.list()).hasSameElementsAs(blobIds(named()));
    }

    /// Flushes and compacts until nothing is left to do.
    private void settle(ModelTablet tablet) {
        tablet.endFlush();
        tablet.endCompaction();
        tablet.flushAll(oldest);
        do {
            tablet.beginCompaction(oldest);
        } while (tablet.endCompaction());
    }

    private void operate() {
        ModelTablet tablet = tablets.get(random.nextInt(tablets.size()));
        int choice = random.nextInt(64);
        if (calm && choice < 20 && random.nextInt(100) > 0) {
            choice = 63;
        }
        switch (choice) {
            case 0, 1, 2 -> tablet.freeze();
            case 3, 4, 5 -> tablet.beginFlush(oldest);
            case 6, 7, 8 -> tablet.endFlush();
            case 9, 10 -> tablet.beginCompaction(oldest);
            case 11 -> tablet.beginFullCompaction(oldest);
            case 12, 13, 14 -> {
                if (tablet.endCompaction()) {
                    deleteUnnamed();
                }
            }
            case 15 -> oldest += random.nextLong(visible() - oldest + 1) / 3;
            case 16 -> changeSettings();
            case 17 -> split(tablet);
            case 18 -> merge();
            case 19 -> crash();
            case 20 -> beginCursor(tablet);
            case 21 -> endCursor();
            case 22, 23 -> advanceCursor();
            case 24, 25, 26, 27, 28, 29, 30, 31 -> checkGet();
            case 32, 33, 34 -> checkScan();
            case 35 -> checkEstimates(tablet);
            case 36 -> eraseRange();
            case 37 -> bulkLoad(tablet);
            case 38 -> promise();
            case 39 -> writeLate();
            default -> write();
        }
    }

    // ---- what changes the table

    private void write() {
        now += random.nextInt(3);
        Bytes key = key();
        if (!late.containsKey(key)) {
            write(key, now);
        }
    }

    /// As a transaction over several tablets does, that has its time and is not yet applied here.
    private void promise() {
        now++;
        late.putIfAbsent(key(), now);
        now++;
    }

    private void writeLate() {
        if (!late.isEmpty()) {
            Bytes key = late.ceilingKey(key());
            key = key == null ? late.firstKey() : key;
            write(key, late.remove(key));
        }
    }

    private boolean isLate(Bytes from, @Nullable Bytes to) {
        Bytes key = late.ceilingKey(from);
        return key != null && (to == null || key.compareTo(to) < 0);
    }

    private void write(Bytes key, long timestamp) {
        RowChange.Kind kind = KINDS.get(random.nextInt(KINDS.size()));
        Map<Integer, @Nullable String> fields = new TreeMap<>();
        if (kind != RowChange.Kind.ERASE) {
            for (int count = random.nextInt(4); count > 0; count--) {
                String field = random.nextInt(5) == 0 ? null : "v" + random.nextInt(1000);
                fields.put(random.nextInt(LsmModel.COLUMNS), field);
            }
        }
        model.write(key, new LsmModel.Change(timestamp, kind, fields));
        tabletOf(key).write(key, timestamp, LsmModel.encode(kind, fields));
    }

    /// Some keys, or all. What comes after it is later.
    private void eraseRange() {
        Bytes from = random.nextInt(8) == 0 ? Bytes.EMPTY : key();
        Bytes to = random.nextInt(8) == 0 ? null : key();
        now++;
        if ((to == null || from.compareTo(to) < 0) && !isLate(from, to)) {
            model.eraseRange(from, to, now);
            tablets.forEach(tablet -> tablet.eraseRange(from, to, now));
        }
        now++;
    }

    private void bulkLoad(ModelTablet tablet) {
        Map<Bytes, String> rows = new TreeMap<>();
        // Few keys lie between those of memtables, many do not.
        int most = random.nextBoolean() ? 1 : 20;
        for (int count = 1 + random.nextInt(most); count > 0; count--) {
            Bytes key = key();
            if (tablet.contains(key) && !isLate(tablet.from, tablet.to)) {
                rows.put(key, "b" + count);
            }
        }
        now++;
        if (!rows.isEmpty() && tablet.bulkLoad(rows, now)) {
            rows.forEach(
                    (key, field) ->
                            model.write(
                                    key,
                                    new LsmModel.Change(
                                            now, RowChange.Kind.REPLACE, Map.of(0, field))));
        }
        now++;
    }

    private void changeSettings() {
        settings = randomSettings();
        tablets.forEach(tablet -> tablet.tree.configure(settings));
    }

    private TreeSettings randomSettings() {
        List<StoredFamily> families = new ArrayList<>();
        int count = 1 + random.nextInt(3);
        for (int family = 0; family < count; family++) {
            List<Integer> columns = family == 0 ? List.of() : List.of(family, family + 2);
            families.add(
                    new StoredFamily(
                            "family " + family,
                            columns,
                            random.nextBoolean() ? Compression.LZ4 : Compression.NONE,
                            random.nextInt(3) == 0 ? "hdd" : "",
                            StoredFamily.CacheMode.values()[random.nextInt(3)]));
        }
        return new TreeSettings(families, random.nextBoolean(), null);
    }

    private void split(ModelTablet tablet) {
        Bytes at = random.nextBoolean() ? key() : tablet.tree.estimator().keyAt(0.5).orElse(key());
        if (tablets.size() < MOST_TABLETS && tablet.contains(at) && !at.equals(tablet.from)) {
            int index = tablets.indexOf(tablet);
            tablets.remove(index);
            tablets.addAll(index, tablet.splitAt(at));
            deleteUnnamed();
        }
    }

    private void merge() {
        int from = random.nextInt(tablets.size());
        int to = Math.min(tablets.size(), from + 2 + random.nextInt(2));
        if (to - from > 1) {
            List<ModelTablet> neighbours = tablets.subList(from, to);
            ModelTablet merged = ModelTablet.merge(List.copyOf(neighbours));
            neighbours.clear();
            tablets.add(from, merged);
            deleteUnnamed();
        }
    }

    /// Of what was under way, some tables are there and nobody names them; all memory is gone.
    private void crash() {
        files = new TableFiles(blobs, random.nextInt(20_000));
        tablets =
                new ArrayList<>(
                        tablets.stream()
                                .map(tablet -> tablet.reopened(files, options, settings))
                                .toList());
        deleteUnnamed();
    }

    private void deleteUnnamed() {
        Set<Long> kept = blobIds(named());
        for (long blob : blobs.list()) {
            if (!kept.contains(blob)) {
                blobs.delete(blob);
            }
        }
    }

    private Set<Long> named() {
        Set<Long> named = new HashSet<>();
        tablets.forEach(tablet -> tablet.addNamed(named));
        return named;
    }

    private Set<Long> blobIds(Set<Long> tables) {
        Set<Long> ids = new HashSet<>();
        tables.forEach(table -> ids.addAll(files.blobIds(table)));
        return ids;
    }

    // ---- what must be as in the model

    private void checkGet() {
        Bytes key = key();
        long snapshot = snapshot();
        boolean[] newer = {false};
        LsmTree tree = tabletOf(key).tree;
        LsmModel.ModelRow expected = model.get(key, snapshot);
        if (random.nextBoolean()) {
            Row row = tree.get(key, Projection.ALL, snapshot, () -> newer[0] = true);
            assertThat(row == null ? null : LsmModel.modelRow(row)).isEqualTo(expected);
        } else {
            Set<Integer> columns = someColumns();
            Row row = tree.get(key, projection(columns), snapshot, () -> newer[0] = true);
            assertThat(row == null ? null : LsmModel.modelRow(row))
                    .isEqualTo(LsmModel.only(expected, columns));
        }
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
        Set<Integer> columns = random.nextBoolean() ? null : someColumns();
        Projection projection = columns == null ? Projection.ALL : projection(columns);
        List<LsmModel.ModelRow> rows = new ArrayList<>();
        for (ModelTablet tablet : direction == Direction.FORWARD ? tablets : tablets.reversed()) {
            RowCursor cursor =
                    tablet.tree.scan(
                            Keys.later(from, tablet.from),
                            Keys.earlier(to, tablet.to),
                            projection,
                            snapshot,
                            direction,
                            () -> newer[0] = true);
            while (cursor.next()) {
                rows.add(LsmModel.modelRow(cursor.row()));
            }
            assertThat(cursor.next()).isFalse();
        }
        List<LsmModel.ModelRow> expected = model.scan(from, to, snapshot, direction);
        if (columns != null) {
            expected.replaceAll(row -> LsmModel.only(row, columns));
        }
        assertThat(rows).isEqualTo(expected);
        checkNewer(newer[0], from, to, snapshot);
    }

    private void checkNewer(boolean heard, Bytes from, @Nullable Bytes to, long snapshot) {
        if (model.anyNewer(from, to, snapshot)) {
            assertThat(heard).isTrue();
        } else if (heard) {
            assertThat(model.maybeNewer(from, to, snapshot)).isTrue();
        }
    }

    private Set<Integer> someColumns() {
        Set<Integer> columns = new TreeSet<>();
        for (int count = random.nextInt(4); count > 0; count--) {
            columns.add(random.nextInt(LsmModel.COLUMNS));
        }
        return columns;
    }

    private static Projection projection(Set<Integer> columns) {
        return Projection.of(columns.stream().mapToInt(Integer::intValue).toArray());
    }

    private void beginCursor(ModelTablet tablet) {
        if (cursors.size() == MOST_CURSORS) {
            return;
        }
        Direction direction = random.nextBoolean() ? Direction.FORWARD : Direction.BACKWARD;
        long snapshot = visible();
        // What is written at the snapshot's own time while it is read may be seen or not.
        now++;
        RowCursor cursor =
                tablet.tree.scan(
                        tablet.from,
                        tablet.to,
                        Projection.ALL,
                        snapshot,
                        direction,
                        ReadWatch.NONE);
        cursors.add(new OpenCursor(cursor, tablet, snapshot, direction, new ArrayList<>()));
    }

    private void advanceCursor() {
        if (!cursors.isEmpty()) {
            OpenCursor open = cursors.get(random.nextInt(cursors.size()));
            for (int count = random.nextInt(5); count > 0 && open.cursor.next(); count--) {
                open.rows.add(LsmModel.modelRow(open.cursor.row()));
            }
        }
    }

    private void endCursor() {
        if (!cursors.isEmpty()) {
            OpenCursor open = cursors.remove(random.nextInt(cursors.size()));
            while (open.cursor.next()) {
                open.rows.add(LsmModel.modelRow(open.cursor.row()));
            }
            ModelTablet tablet = open.tablet;
            assertThat(open.rows)
                    .isEqualTo(model.scan(tablet.from, tablet.to, open.snapshot, open.direction));
        }
    }

    private void checkEstimates(ModelTablet tablet) {
        Estimate all = tablet.tree.estimator().between(Bytes.EMPTY, null);
        Estimate inside = tablet.tree.estimator().between(tablet.from, tablet.to);
        assertThat(inside).isEqualTo(all);
        Bytes cut = key();
        Estimate before = tablet.tree.estimator().between(Bytes.EMPTY, cut);
        Estimate behind = tablet.tree.estimator().between(cut, null);
        assertThat(before.rows() + behind.rows()).isEqualTo(all.rows());
        assertThat(before.bytes() + behind.bytes()).isEqualTo(all.bytes());
        tablet.tree
                .estimator()
                .keyAt(random.nextDouble())
                .ifPresent(key -> assertThat(tablet.contains(key)).isTrue());
    }

    private ModelTablet tabletOf(Bytes key) {
        return tablets.stream().filter(tablet -> tablet.contains(key)).findFirst().orElseThrow();
    }

    private Bytes key() {
        int from = random.nextInt(20) == 0 ? 0 : common.length;
        byte[] key = Arrays.copyOf(common, from + random.nextInt(keyLength + 1));
        for (int index = from; index < key.length; index++) {
            key[index] = (byte) (random.nextInt(alphabet) * 13);
        }
        return Bytes.wrap(key);
    }

    private long snapshot() {
        return oldest + random.nextLong(visible() - oldest + 1);
    }

    private long visible() {
        return late.values().stream().mapToLong(at -> at - 1).min().orElse(now);
    }
}
