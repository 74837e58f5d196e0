package io.cleave.tablet;

import io.cleave.base.Check;
import io.cleave.base.Env;
import io.cleave.lsm.LsmOptions;
import io.cleave.lsm.LsmTree;
import io.cleave.lsm.RowChange;
import io.cleave.lsm.Slice;
import io.cleave.lsm.TableFiles;
import io.cleave.lsm.TreeSettings;
import io.cleave.schema.KeyRange;
import io.cleave.tablet.CellRecord.Commit;
import io.cleave.tablet.CellRecord.Compacted;
import io.cleave.tablet.CellRecord.Configure;
import io.cleave.tablet.CellRecord.CreateTablets;
import io.cleave.tablet.CellRecord.Decide;
import io.cleave.tablet.CellRecord.DropTablets;
import io.cleave.tablet.CellRecord.EraseRange;
import io.cleave.tablet.CellRecord.Flushed;
import io.cleave.tablet.CellRecord.Forget;
import io.cleave.tablet.CellRecord.Freeze;
import io.cleave.tablet.CellRecord.Ingested;
import io.cleave.tablet.CellRecord.OfTransaction;
import io.cleave.tablet.CellRecord.Outcome;
import io.cleave.tablet.CellRecord.Prepare;
import io.cleave.tablet.CellRecord.State;
import io.cleave.tablet.CellRecord.TabletState;
import io.cleave.tablet.CellRecord.Transactions;
import io.cleave.tablet.TabletWrites.KeyedChange;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/// The state of a cell: its tablets, as a function of its log. The leader applies what it appends,
/// in the same order, and a restart applies what it reads back: both end in the same state.
///
/// Threads: one at a time applies (the leader under its lock); anyone may look up tablets.
final class CellState {
    private final long cellId;
    private final TableFiles files;
    private final Env env;

    private final Map<Long, Replayed> tablets = new ConcurrentHashMap<>();
    private long maxTimestamp;
    private final BlobReferences references = new BlobReferences();
    private final LogMeter log;
    private final OpenTransactions transactions = new OpenTransactions();

    CellState(long cellId, TableFiles files, LogMeter log, Env env) {
        this.cellId = cellId;
        this.files = files;
        this.log = log;
        this.env = env;
    }

    /// A tablet and how much of the log its files hold.
    static final class Replayed {
        final Tablet tablet;

        /// Row events before this position are in the tablet's files.
        volatile long replayFrom;

        /// The generation of the newest memtable that was flushed.
        volatile long lastFlushed;

        /// Where each frozen memtable ends in the log; oldest first.
        volatile List<Frozen> frozen = List.of();

        Replayed(Tablet tablet, long replayFrom) {
            this.tablet = tablet;
            this.replayFrom = replayFrom;
        }

        /// Nothing of the log is needed to know this tablet's rows.
        boolean isClean() {
            return frozen.isEmpty() && tablet.tree().activeBytes() == 0;
        }
    }

    record Frozen(long generation, long position) {}

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

    /// What of the log is kept and for whom.
    LogMeter log() {
        return log;
    }

    /// Applies the record at `position`; what it names must be there. Returns the blobs that nobody
    /// names any more: they may be deleted once the record is durable.
    List<Long> apply(long position, CellRecord record) {
        return switch (record) {
            case Commit(long timestamp, List<TabletWrites> writes) -> {
                writes.forEach(tablet -> write(timestamp, tablet));
                yield List.of();
            }
            case EraseRange(long timestamp, long tabletId, KeyRange range) -> {
                eraseRange(timestamp, tabletId, range);
                yield List.of();
            }
            case Freeze(long tabletId) -> {
                freeze(position, tabletId);
                yield List.of();
            }
            case CreateTablets(List<TabletSpec> created) -> {
                for (TabletSpec spec : created) {
                    tablets.put(spec.tabletId(), new Replayed(newTablet(spec), position));
                }
                yield List.of();
            }
            case DropTablets(List<Long> tabletIds) -> drop(tabletIds);
            case Configure(List<Long> tabletIds, TreeSettings settings) -> {
                tabletIds.forEach(tabletId -> configure(tabletId, settings));
                yield List.of();
            }
            case Flushed(long tabletId, long generation, List<Slice> slices) ->
                    flushed(tabletId, generation, slices);
            case Ingested(long timestamp, long tabletId, List<Slice> slices) ->
                    ingested(timestamp, tabletId, slices);
            case Compacted(long tabletId, List<Slice> removed, List<Slice> added) ->
                    compacted(tabletId, removed, added);
            case OfTransaction step -> {
                apply(step);
                yield List.of();
            }
            case State _ -> List.of();
        };
    }

    private void apply(OfTransaction step) {
        transactions.apply(step);
        switch (step) {
            case Decide(long timestamp, _, _, List<TabletWrites> writes) ->
                    writes.forEach(tablet -> write(timestamp, tablet));
            case Outcome(_, Decision.Commit(long timestamp), List<TabletWrites> writes) ->
                    writes.forEach(tablet -> write(timestamp, tablet));
            case Outcome _, Prepare _, Forget _, Transactions _ -> {}
        }
    }

    /// What it has promised in transactions over several cells.
    OpenTransactions transactions() {
        return transactions;
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
            tablet.tree().restore(saved.slices(), saved.lastGeneration(), saved.erases());
            references.add(saved.slices());
            var replayed = new Replayed(tablet, saved.replayFrom());
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
            }
            saved.add(
                    new TabletState(
                            replayed.tablet.spec(),
                            replayed.lastFlushed,
                            replayed.replayFrom,
                            replayed.tablet.tree().slices(),
                            replayed.tablet.tree().erases()));
        }
        return new State(maxTimestamp, saved);
    }

    /// The oldest record that is still needed when a state stands at `statePosition`.
    long neededFrom(long statePosition) {
        return tablets.values().stream()
                .filter(replayed -> !replayed.isClean())
                .mapToLong(replayed -> replayed.replayFrom)
                .reduce(statePosition, Math::min);
    }

    /// Removes files that no tablet names: a crash came between writing one and logging it, or
    /// between logging its removal and removing it.
    void removeOrphans() {
        files.deleteAllBut(references.named());
    }

    private Tablet newTablet(TabletSpec spec) {
        return new Tablet(
                cellId, spec, new LsmTree(files, LsmOptions.DEFAULT, spec.settings()), env);
    }

    private void eraseRange(long timestamp, long tabletId, KeyRange range) {
        reached(timestamp);
        Replayed replayed = tablets.get(tabletId);
        if (replayed != null) {
            replayed.tablet.tree().eraseRange(range.from(), range.to(), timestamp);
        }
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
            List<Frozen> frozen = new ArrayList<>(replayed.frozen);
            frozen.add(new Frozen(generation, position));
            replayed.frozen = List.copyOf(frozen);
        }
    }

    private List<Long> drop(List<Long> tabletIds) {
        List<Long> dead = new ArrayList<>();
        for (long tabletId : tabletIds) {
            Replayed replayed = tablets.remove(tabletId);
            if (replayed != null) {
                dead.addAll(references.remove(replayed.tablet.tree().slices()));
            }
        }
        return dead;
    }

    private List<Long> ingested(long timestamp, long tabletId, List<Slice> slices) {
        reached(timestamp);
        Replayed replayed = tablets.get(tabletId);
        if (replayed == null) {
            return references.unnamed(slices);
        }
        replayed.tablet.tree().ingested(slices, timestamp);
        references.add(slices);
        return List.of();
    }

    private List<Long> compacted(long tabletId, List<Slice> removed, List<Slice> added) {
        Replayed replayed = tablets.get(tabletId);
        if (replayed == null) {
            return references.unnamed(added);
        }
        replayed.tablet.tree().compacted(removed, added);
        // A table that only went down a level is in both lists.
        references.add(added);
        return references.remove(removed);
    }

    private List<Long> flushed(long tabletId, long generation, List<Slice> slices) {
        Replayed replayed = tablets.get(tabletId);
        if (replayed == null) {
            return references.unnamed(slices);
        }
        Frozen oldest = replayed.frozen.getFirst();
        Check.that(
                oldest.generation() == generation,
                "tablet %d: generation %d was flushed before %d",
                tabletId,
                generation,
                oldest.generation());
        replayed.tablet.tree().flushed(generation, slices);
        references.add(slices);
        replayed.frozen = replayed.frozen.subList(1, replayed.frozen.size());
        replayed.replayFrom = oldest.position() + 1;
        replayed.lastFlushed = generation;
        return List.of();
    }
}
