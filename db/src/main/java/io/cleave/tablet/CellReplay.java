package io.cleave.tablet;

import io.cleave.base.CorruptionException;
import io.cleave.log.Log;
import io.cleave.log.LogCursor;
import io.cleave.lsm.TreeRestore;
import io.cleave.lsm.row.RangeErase;
import io.cleave.lsm.table.Slice;
import io.cleave.lsm.table.TreeSettings;
import io.cleave.schema.KeyRange;
import io.cleave.tablet.record.CellRecord;
import io.cleave.tablet.record.CellRecord.Attach;
import io.cleave.tablet.record.CellRecord.Commit;
import io.cleave.tablet.record.CellRecord.Compacted;
import io.cleave.tablet.record.CellRecord.Configure;
import io.cleave.tablet.record.CellRecord.CreateTablets;
import io.cleave.tablet.record.CellRecord.Departure;
import io.cleave.tablet.record.CellRecord.Detach;
import io.cleave.tablet.record.CellRecord.DropTablets;
import io.cleave.tablet.record.CellRecord.EraseRange;
import io.cleave.tablet.record.CellRecord.Flushed;
import io.cleave.tablet.record.CellRecord.Freeze;
import io.cleave.tablet.record.CellRecord.Ingested;
import io.cleave.tablet.record.CellRecord.Merge;
import io.cleave.tablet.record.CellRecord.OfTransaction;
import io.cleave.tablet.record.CellRecord.OldState;
import io.cleave.tablet.record.CellRecord.OldTabletState;
import io.cleave.tablet.record.CellRecord.RequireVersion;
import io.cleave.tablet.record.CellRecord.Resume;
import io.cleave.tablet.record.CellRecord.Split;
import io.cleave.tablet.record.CellRecord.State;
import io.cleave.tablet.record.CellRecord.TabletState;
import io.cleave.tablet.record.CellRecord.Version;
import io.cleave.tablet.record.RecordCodec;
import io.cleave.tablet.record.TabletSpec;
import io.cleave.tablet.record.Unflushed;
import io.cleave.tablet.twophase.OpenTransactions;
import io.cleave.tablet.twophase.OthersReached;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.LongPredicate;

/// Restores a cell from its log, in two passes. The first pass finds out which tablets and files
/// there are at the end of the log. The second pass fills the memtables with the rows that are in
/// none of these files.
///
/// The first pass opens no file, because files that a later record drops may be gone already.
final class CellReplay {
    private final Log log;
    private final Map<Long, Outline> outlines = new HashMap<>();
    private long timestamp;
    private final OpenTransactions transactions;
    private final OthersReached others;
    private boolean stateFound;

    /// The part of the log that is read, even if the log grows or is trimmed meanwhile.
    private final long from;

    private final long to;

    private CellReplay(Log log, long from, OpenTransactions transactions, OthersReached others) {
        this.log = log;
        this.from = from;
        to = log.nextPosition();
        this.transactions = transactions;
        this.others = others;
    }

    /// `lost` opens the files of the tablets.
    static void run(Log log, CellState state, LostFiles lost) {
        run(log, log.firstPosition(), state, lost, _ -> true);
    }

    /// The result of a replay: the position one past the last record, and the tables that were left
    /// out.
    record End(long position, Set<Long> leftOut) {}

    /// Replays only the tables that `wantedTable` accepts, from a position that the log once began
    /// with to the current end of the log. Throws [io.cleave.log.TrimmedException] if the log is
    /// trimmed during the replay; then no tablet was added to the state.
    static End run(Log log, long from, CellState state, LostFiles lost, LongPredicate wantedTable) {
        var replay = new CellReplay(log, from, state.transactions(), state.others());
        State found = replay.findStructure();
        state.reached(found.timestamp());
        Map<TabletState, TreeRestore> trees = new LinkedHashMap<>();
        Set<Long> leftOut = new HashSet<>();
        for (TabletState tablet : found.tablets()) {
            long tableId = tablet.spec().tableId();
            if (wantedTable.test(tableId)) {
                TabletState readable = lost.readable(tablet);
                trees.put(readable, state.restore(readable));
            } else {
                leftOut.add(tableId);
            }
        }
        new MemtableReplay(trees).run(log, from, replay.to, state);
        trees.forEach((tablet, tree) -> state.add(tablet, tree.finish()));
        return new End(replay.to, leftOut);
    }

    /// Runs the first pass alone.
    static List<TabletState> structure(Log log) {
        var replay =
                new CellReplay(
                        log, log.firstPosition(), new OpenTransactions(), new OthersReached());
        return replay.findStructure().tablets();
    }

    /// What the first pass knows about a tablet so far.
    private final class Outline {
        TabletSpec spec;
        final List<Slice> slices;
        final List<RangeErase> erases;
        List<Unflushed> frozen;
        long lastGeneration;
        long activeFrom;
        @Nullable Departure departure;

        Outline(TabletState state) {
            spec = state.spec();
            slices = new ArrayList<>(state.slices());
            erases = new ArrayList<>(state.erases());
            frozen = state.frozen();
            lastGeneration = state.lastGeneration();
            activeFrom = state.activeFrom();
            departure = state.departure();
        }

        void freeze(long position) {
            lastGeneration++;
            frozen =
                    HostedTablet.endedAt(
                            frozen, lastGeneration, spec.tabletId(), activeFrom, position);
            activeFrom = position + 1;
        }

        void flushed(long generation, List<Slice> written) {
            if (frozen.isEmpty() || frozen.getFirst().generation() != generation) {
                throw new CorruptionException(
                        log.name(),
                        0,
                        "records are missing: memtable %d of tablet %d was flushed without having been frozen"
                                .formatted(generation, spec.tabletId()));
            }
            frozen = frozen.subList(1, frozen.size());
            slices.addAll(written);
        }

        long neededFrom() {
            long needed = activeFrom;
            for (Unflushed memtable : frozen) {
                needed = Math.min(needed, memtable.neededFrom());
            }
            return needed;
        }

        TabletState save() {
            return new TabletState(
                    spec, lastGeneration, frozen, activeFrom, slices, erases, departure);
        }
    }

    private State findStructure() {
        Map<Long, List<Long>> freezes = new HashMap<>();
        long next = from;
        try (LogCursor cursor = log.read(from)) {
            while (next < to && cursor.next() && cursor.position() < to) {
                next = cursor.position() + 1;
                if (!RecordCodec.isCommit(cursor.record())) {
                    CellRecord record = RecordCodec.decode(cursor.record());
                    if (record instanceof Freeze(long tabletId)) {
                        freezes.computeIfAbsent(tabletId, _ -> new ArrayList<>())
                                .add(cursor.position());
                    }
                    outline(cursor.position(), record, freezes);
                }
            }
        }
        refuseIfTrimmedTooFar();
        return new State(timestamp, outlines.values().stream().map(Outline::save).toList());
    }

    /// A log is trimmed only before a state, and never past a record that a tablet needs.
    private void refuseIfTrimmedTooFar() {
        if (from > 0 && !stateFound) {
            throw new CorruptionException(
                    log.name(), 0, "begins at record " + from + " and holds no state of the cell");
        }
        for (Outline outline : outlines.values()) {
            if (outline.neededFrom() < from) {
                throw new CorruptionException(
                        log.name(),
                        0,
                        "begins at record %d, but tablet %d needs record %d"
                                .formatted(from, outline.spec.tabletId(), outline.neededFrom()));
            }
        }
    }

    /// Null also for a tablet that is leaving: it does not change any more, as in [CellState].
    private @Nullable Outline staying(long tabletId) {
        Outline outline = outlines.get(tabletId);
        return outline == null || outline.departure != null ? null : outline;
    }

    private void outline(long position, CellRecord record, Map<Long, List<Long>> freezes) {
        switch (record) {
            case Commit _ -> {}
            case OfTransaction step -> {
                others.learn(step, transactions);
                transactions.apply(step);
            }
            case Freeze(long tabletId) -> {
                Outline outline = staying(tabletId);
                if (outline != null) {
                    outline.freeze(position);
                }
            }
            case CreateTablets(List<TabletSpec> tablets) ->
                    tablets.forEach(spec -> begin(created(spec, position)));
            case EraseRange(long erased, long tabletId, KeyRange range) -> {
                timestamp = Math.max(timestamp, erased);
                Outline outline = staying(tabletId);
                if (outline != null) {
                    outline.erases.add(new RangeErase(range.from(), range.to(), erased));
                }
            }
            case DropTablets(List<Long> tabletIds) -> tabletIds.forEach(outlines::remove);
            case Configure(List<Long> tabletIds, TreeSettings settings) -> {
                for (long tabletId : tabletIds) {
                    Outline outline = staying(tabletId);
                    if (outline != null) {
                        outline.spec =
                                outline.spec.with(
                                        settings.after(outline.spec.settings(), timestamp));
                    }
                }
            }
            case RequireVersion(long version, List<Long> tabletIds) -> {
                for (long tabletId : tabletIds) {
                    Outline outline = staying(tabletId);
                    if (outline != null) {
                        outline.spec = outline.spec.requiring(version);
                    }
                }
            }
            case Flushed(long tabletId, long generation, List<Slice> slices) -> {
                Outline outline = staying(tabletId);
                if (outline != null) {
                    outline.flushed(generation, slices);
                }
            }
            case Ingested(long ingested, long tabletId, List<Slice> slices) -> {
                timestamp = Math.max(timestamp, ingested);
                Outline outline = staying(tabletId);
                if (outline != null) {
                    outline.slices.addAll(slices);
                }
            }
            case Compacted(long tabletId, List<Slice> removed, List<Slice> added) -> {
                Outline outline = staying(tabletId);
                if (outline != null) {
                    outline.slices.removeAll(removed);
                    outline.slices.addAll(added);
                }
            }
            case Split(long tabletId, List<TabletState> children) -> {
                outlines.remove(tabletId);
                children.forEach(this::begin);
            }
            case Merge(List<Long> tabletIds, TabletState merged) -> {
                tabletIds.forEach(outlines::remove);
                begin(merged);
            }
            case Detach(long tabletId, Departure departure) -> {
                Outline outline = outlines.get(tabletId);
                if (outline != null) {
                    outline.departure = departure;
                }
            }
            case Resume(long tabletId, long epoch) -> {
                Outline outline = outlines.get(tabletId);
                if (outline != null) {
                    outline.departure = null;
                    outline.spec = outline.spec.inEpoch(epoch);
                }
            }
            case Attach(TabletState tablet, List<Version> _) -> begin(tablet);
            // A state repeats everything, so what was found before it does not matter.
            case State(long newest, List<TabletState> tablets) -> {
                timestamp = newest;
                stateFound = true;
                outlines.clear();
                tablets.forEach(this::begin);
            }
            case OldState(long newest, List<OldTabletState> tablets) -> {
                timestamp = newest;
                stateFound = true;
                outlines.clear();
                tablets.forEach(tablet -> begin(tablet, freezes));
            }
        }
    }

    private static TabletState created(TabletSpec spec, long position) {
        return new TabletState(spec, 0, List.of(), position, List.of(), List.of(), null);
    }

    private void begin(TabletState tablet) {
        outlines.put(tablet.spec().tabletId(), new Outline(tablet));
    }

    /// Unflushed memtables of an old state ended at the `Freeze` records before it.
    private void begin(OldTabletState tablet, Map<Long, List<Long>> freezes) {
        var outline =
                new Outline(
                        new TabletState(
                                tablet.spec(),
                                tablet.lastGeneration(),
                                List.of(),
                                tablet.replayFrom(),
                                tablet.slices(),
                                tablet.erases(),
                                null));
        freezes.getOrDefault(tablet.spec().tabletId(), List.of()).stream()
                .filter(position -> position >= tablet.replayFrom())
                .forEach(outline::freeze);
        outlines.put(tablet.spec().tabletId(), outline);
    }
}
