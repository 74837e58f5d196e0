package io.cleave.lsm;

import static org.assertj.core.api.Assertions.assertThat;

import io.cleave.base.ByteReader;
import io.cleave.base.ByteWriter;
import io.cleave.base.Bytes;
import io.cleave.lsm.row.Keys;
import io.cleave.lsm.row.RowChange;
import io.cleave.lsm.table.LsmOptions;
import io.cleave.lsm.table.Slice;
import io.cleave.lsm.table.TableFiles;
import io.cleave.lsm.table.TreeSettings;

import org.jspecify.annotations.Nullable;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;

/// One range of the table in [LsmModelRound]: a tree, and what a log would hold for it, which is
/// everything that was written and not flushed.
final class ModelTablet {
    final Bytes from;
    final @Nullable Bytes to;
    final LsmTree tree;

    /// By memtable, the oldest first.
    private final Deque<List<Logged>> frozen = new ArrayDeque<>();

    private List<Logged> active = new ArrayList<>();

    /// What the background has written and nobody has put in place yet.
    private @Nullable Compaction compaction;

    private List<Slice> compacted = List.of();
    private @Nullable Long flushing;
    private List<Slice> flushed = List.of();

    private record Logged(Bytes key, long timestamp, Bytes change) {}

    ModelTablet(Bytes from, @Nullable Bytes to, LsmTree tree) {
        this.from = from;
        this.to = to;
        this.tree = tree;
    }

    boolean contains(Bytes key) {
        return from.compareTo(key) <= 0 && (to == null || key.compareTo(to) < 0);
    }

    void write(Bytes key, long timestamp, Bytes change) {
        active.add(new Logged(key, timestamp, change));
        tree.write(key, timestamp, change);
    }

    /// What of the range is this tablet's.
    void eraseRange(Bytes erasedFrom, @Nullable Bytes erasedTo, long timestamp) {
        Bytes low = Keys.later(from, erasedFrom);
        Bytes high = Keys.earlier(to, erasedTo);
        if (high == null || low.compareTo(high) < 0) {
            tree.eraseRange(low, high, timestamp);
        }
    }

    /// False if memtables have keys in the range.
    boolean bulkLoad(Map<Bytes, String> rows, long timestamp) {
        List<Slice> slices;
        try (BulkWriter writer = tree.maintenance().newBulkWriter()) {
            rows.forEach(
                    (key, field) ->
                            writer.add(
                                    key,
                                    LsmModel.encode(RowChange.Kind.REPLACE, Map.of(0, field))));
            slices = writer.finish();
        }
        Slice hull = BulkWriter.hull(slices);
        OptionalInt free = tree.levelFor(hull.from(), hull.to());
        if (free.isEmpty()) {
            return false;
        }
        int level = compaction == null ? free.getAsInt() : 0;
        if (level == 0) {
            freeze();
            freeze();
        }
        tree.ingested(
                BulkWriter.placed(slices, level, tree.lastGeneration(), timestamp), timestamp);
        return true;
    }

    void freeze() {
        tree.freeze();
        moveActive();
    }

    private void moveActive() {
        frozen.addLast(active);
        active = new ArrayList<>();
    }

    // ---- the background, in two steps

    void beginFlush(long oldestSnapshot) {
        assertThat(tree.frozenGenerations()).hasSize(frozen.size());
        if (flushing == null && !frozen.isEmpty()) {
            flushing = tree.frozenGenerations().getFirst();
            flushed = tree.maintenance().writeTables(flushing, oldestSnapshot);
        }
    }

    void endFlush() {
        if (flushing != null) {
            tree.flushed(flushing, flushed);
            frozen.removeFirst();
            flushing = null;
        }
    }

    void flushAll(long oldestSnapshot) {
        freeze();
        while (!frozen.isEmpty()) {
            beginFlush(oldestSnapshot);
            endFlush();
        }
    }

    void beginCompaction(long oldestSnapshot) {
        begin(tree.maintenance().pickCompaction(oldestSnapshot), oldestSnapshot);
    }

    /// As when someone asks for a compaction of everything.
    void beginFullCompaction(long oldestSnapshot) {
        begin(
                tree.maintenance().pickFullCompaction(tree.lastGeneration(), oldestSnapshot),
                oldestSnapshot);
    }

    private void begin(Optional<Compaction> picked, long oldestSnapshot) {
        if (compaction == null && picked.isPresent()) {
            compaction = picked.get();
            compacted = tree.maintenance().runCompaction(compaction, oldestSnapshot);
        }
    }

    boolean endCompaction() {
        if (compaction == null) {
            return false;
        }
        tree.compacted(compaction.inputs(), compacted);
        compaction = null;
        return true;
    }

    // ---- split, merge, crash: what was under way is given up

    List<ModelTablet> splitAt(Bytes key) {
        List<ModelTablet> halves =
                List.of(
                        new ModelTablet(from, key, tree.part(from, key)),
                        new ModelTablet(key, to, tree.part(key, to)));
        if (!active.isEmpty()) {
            moveActive();
        }
        for (ModelTablet half : halves) {
            for (List<Logged> memtable : frozen) {
                half.frozen.addLast(
                        memtable.stream().filter(logged -> half.contains(logged.key)).toList());
            }
        }
        return halves;
    }

    static ModelTablet merge(List<ModelTablet> neighbours) {
        List<Bytes> bounds = neighbours.stream().skip(1).map(tablet -> tablet.from).toList();
        List<LsmTree> trees = neighbours.stream().map(tablet -> tablet.tree).toList();
        var merged =
                new ModelTablet(
                        neighbours.getFirst().from,
                        neighbours.getLast().to,
                        LsmTree.merged(trees, bounds));
        for (ModelTablet tablet : neighbours) {
            if (!tablet.active.isEmpty()) {
                tablet.moveActive();
            }
        }
        int most = neighbours.stream().mapToInt(tablet -> tablet.frozen.size()).max().orElseThrow();
        for (int age = 0; age < most; age++) {
            List<Logged> together = new ArrayList<>();
            for (ModelTablet tablet : neighbours) {
                if (!tablet.frozen.isEmpty()) {
                    together.addAll(tablet.frozen.removeFirst());
                }
            }
            merged.frozen.addLast(together);
        }
        return merged;
    }

    /// What a new process makes of the slices on record and of the log.
    ModelTablet reopened(TableFiles files, LsmOptions options, TreeSettings settings) {
        var restore =
                new TreeRestore(
                        files,
                        options,
                        settings,
                        tree.slices().stream().map(ModelTablet::copy).toList(),
                        tree.erases(),
                        List.of(tree.lastGeneration() + 1));
        var reopened = new ModelTablet(from, to, restore.finish());
        List<Logged> log = new ArrayList<>();
        frozen.forEach(log::addAll);
        log.addAll(active);
        log.sort(Comparator.comparingLong(Logged::timestamp));
        log.forEach(logged -> reopened.write(logged.key, logged.timestamp, logged.change));
        return reopened;
    }

    private static Slice copy(Slice slice) {
        var out = new ByteWriter(64);
        slice.writeTo(out);
        byte[] bytes = out.toArray();
        return Slice.readFrom(new ByteReader(bytes, 0, bytes.length));
    }

    /// Tables that are on record, or will be when what is under way ends.
    void addNamed(Set<Long> named) {
        tree.slices().forEach(slice -> named.add(slice.blobId()));
        if (compaction != null) {
            compacted.forEach(slice -> named.add(slice.blobId()));
        }
        if (flushing != null) {
            flushed.forEach(slice -> named.add(slice.blobId()));
        }
    }
}
