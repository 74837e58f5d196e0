package io.cleave.tablet;

import io.cleave.base.Check;
import io.cleave.base.Env;
import io.cleave.blob.BlobStore;
import io.cleave.lsm.LsmOptions;
import io.cleave.lsm.LsmTree;
import io.cleave.lsm.RowChange;
import io.cleave.lsm.Slice;
import io.cleave.lsm.TableFiles;
import io.cleave.lsm.TreeSettings;
import io.cleave.tablet.CellRecord.Commit;
import io.cleave.tablet.CellRecord.Compacted;
import io.cleave.tablet.CellRecord.Configure;
import io.cleave.tablet.CellRecord.CreateTablets;
import io.cleave.tablet.CellRecord.DropTablets;
import io.cleave.tablet.CellRecord.Flushed;
import io.cleave.tablet.CellRecord.Freeze;
import io.cleave.tablet.CellRecord.State;
import io.cleave.tablet.CellRecord.TabletState;
import io.cleave.tablet.TabletWrites.KeyedChange;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/// The state of a cell: its tablets, as a function of its log. The leader applies what it appends,
/// in the same order, and a restart applies what it reads back: both end in the same state.
///
/// Threads: one at a time applies (the leader under its lock); anyone may look up tablets.
final class CellState {
    private final TableFiles files;
    private final Env env;

    private final Map<Long, Replayed> tablets = new ConcurrentHashMap<>();
    private long maxTimestamp;

    /// Bytes of the log that went by here: the measure of how much a tablet holds back.
    private volatile long logBytes;

    CellState(TableFiles files, Env env) {
        this.files = files;
        this.env = env;
    }

    /// A tablet and how much of the log its files hold.
    static final class Replayed {
        final Tablet tablet;

        /// Row events before this position are in the tablet's files.
        long replayFrom;

        /// [CellState#logBytes] at `replayFrom`.
        long replayFromBytes;

        /// The generation of the newest memtable that was flushed.
        long lastFlushed;

        /// Where each frozen memtable ends in the log; oldest first.
        final List<Frozen> frozen = new ArrayList<>();

        Replayed(Tablet tablet, long replayFrom, long replayFromBytes) {
            this.tablet = tablet;
            this.replayFrom = replayFrom;
            this.replayFromBytes = replayFromBytes;
        }

        /// Nothing of the log is needed to know this tablet's rows.
        boolean isClean() {
            return frozen.isEmpty() && tablet.tree().activeBytes() == 0;
        }
    }

    record Frozen(long generation, long position, long logBytes) {}

    @Nullable Tablet tablet(long tabletId) {
        Replayed replayed = tablets.get(tabletId);
        return replayed == null ? null : replayed.tablet;
    }

    Collection<Replayed> tablets() {
        return tablets.values();
    }

    @Nullable Replayed replayed(long tabletId) {
        return tablets.get(tabletId);
    }

    long maxTimestamp() {
        return maxTimestamp;
    }

    /// A commit with this timestamp has gone by.
    void reached(long timestamp) {
        maxTimestamp = Math.max(maxTimestamp, timestamp);
    }

    @SuppressWarnings("NonAtomicVolatileUpdate") // only whoever applies counts
    void countLogged(long bytes) {
        logBytes += bytes;
    }

    /// How many bytes of log are kept for the rows this tablet has not flushed.
    long heldBackBytes(Replayed replayed) {
        return replayed.isClean() ? 0 : logBytes - replayed.replayFromBytes;
    }

    /// Applies the record at `position`; what it names must be there.
    void apply(long position, CellRecord record) {
        switch (record) {
            case Commit(long timestamp, List<TabletWrites> writes) ->
                    writes.forEach(tablet -> write(timestamp, tablet));
            case Freeze(long tabletId) -> freeze(position, tabletId);
            case CreateTablets(List<TabletSpec> created) ->
                    created.forEach(
                            spec ->
                                    tablets.put(
                                            spec.tabletId(),
                                            new Replayed(newTablet(spec), position, logBytes)));
            case DropTablets(List<Long> tabletIds) -> tabletIds.forEach(tablets::remove);
            case Configure(List<Long> tabletIds, TreeSettings settings) ->
                    tabletIds.forEach(tabletId -> configure(tabletId, settings));
            case Flushed(long tabletId, long generation, List<Slice> slices) ->
                    flushed(tabletId, generation, slices);
            case Compacted(long tabletId, List<Slice> removed, List<Slice> added) -> {
                Replayed replayed = tablets.get(tabletId);
                if (replayed != null) {
                    replayed.tablet.tree().compacted(removed, added);
                }
            }
            case State _ -> {}
        }
    }

    /// Adds the rows of one tablet's part of a commit.
    void write(long timestamp, TabletWrites writes) {
        reached(timestamp);
        Tablet tablet = tablet(writes.tabletId());
        if (tablet == null) {
            return; // dropped since; its rows are of no interest
        }
        long deletes = 0;
        for (KeyedChange change : writes.changes()) {
            tablet.tree().write(change.key(), timestamp, change.change());
            if (RowChange.kind(change.change()) == RowChange.Kind.ERASE) {
                deletes++;
            }
        }
        tablet.countWrites(writes.changes().size() - deletes, deletes);
    }

    /// Takes up a state that the log holds: nothing has been applied yet.
    void restore(State state) {
        Check.that(tablets.isEmpty(), "a state over %d tablets", tablets.size());
        maxTimestamp = state.timestamp();
        for (TabletState saved : state.tablets()) {
            Tablet tablet = newTablet(saved.spec());
            tablet.tree().restore(saved.slices(), saved.lastGeneration());
            var replayed = new Replayed(tablet, saved.replayFrom(), 0);
            replayed.lastFlushed = saved.lastGeneration();
            tablets.put(saved.spec().tabletId(), replayed);
        }
    }

    /// Everything but the memtables, as a record for `position`.
    State save(long position) {
        List<TabletState> saved = new ArrayList<>();
        for (Replayed replayed : tablets.values()) {
            if (replayed.isClean()) {
                replayed.replayFrom = position;
                replayed.replayFromBytes = logBytes;
            }
            saved.add(
                    new TabletState(
                            replayed.tablet.spec(),
                            replayed.lastFlushed,
                            replayed.replayFrom,
                            replayed.tablet.tree().slices()));
        }
        return new State(maxTimestamp, saved);
    }

    /// The oldest record that is still needed when a state stands at `statePosition`.
    long neededFrom(long statePosition) {
        return tablets.values().stream()
                .mapToLong(replayed -> replayed.replayFrom)
                .reduce(statePosition, Math::min);
    }

    /// Removes blobs that no tablet names: a crash came between writing a file and logging it, or
    /// between logging its removal and removing it.
    void removeOrphans(BlobStore blobs) {
        Set<Long> named = new HashSet<>();
        for (Replayed replayed : tablets.values()) {
            for (Slice slice : replayed.tablet.tree().slices()) {
                named.addAll(files.blobIds(slice.blobId()));
            }
        }
        for (long blobId : blobs.list()) {
            if (!named.contains(blobId)) {
                blobs.delete(blobId);
            }
        }
    }

    private Tablet newTablet(TabletSpec spec) {
        return new Tablet(spec, new LsmTree(files, LsmOptions.DEFAULT, spec.settings()), env);
    }

    private void configure(long tabletId, TreeSettings settings) {
        Replayed replayed = tablets.get(tabletId);
        if (replayed != null) {
            replayed.tablet.tree().configure(settings);
        }
    }

    private void freeze(long position, long tabletId) {
        Replayed replayed = tablets.get(tabletId);
        if (replayed != null) {
            long generation = replayed.tablet.tree().freeze();
            replayed.frozen.add(new Frozen(generation, position, logBytes));
        }
    }

    private void flushed(long tabletId, long generation, List<Slice> slices) {
        Replayed replayed = tablets.get(tabletId);
        if (replayed == null) {
            return;
        }
        Frozen oldest = replayed.frozen.removeFirst();
        Check.that(
                oldest.generation() == generation,
                "tablet %d: generation %d was flushed before %d",
                tabletId,
                generation,
                oldest.generation());
        replayed.tablet.tree().flushed(generation, slices);
        replayed.lastFlushed = generation;
        replayed.replayFrom = oldest.position() + 1;
        replayed.replayFromBytes = oldest.logBytes();
    }
}
