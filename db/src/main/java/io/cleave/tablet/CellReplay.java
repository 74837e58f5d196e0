package io.cleave.tablet;

import io.cleave.base.CorruptionException;
import io.cleave.log.Log;
import io.cleave.log.LogCursor;
import io.cleave.lsm.RangeErase;
import io.cleave.lsm.Slice;
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
import io.cleave.tablet.CellRecord.Freeze;
import io.cleave.tablet.CellRecord.Ingested;
import io.cleave.tablet.CellRecord.OfTransaction;
import io.cleave.tablet.CellRecord.Outcome;
import io.cleave.tablet.CellRecord.State;
import io.cleave.tablet.CellRecord.TabletState;
import io.cleave.tablet.CellState.Replayed;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/// Brings a cell back from its log, in two passes: the first finds out which tablets and files
/// there are in the end, the second fills the memtables with the rows that are in none of those
/// files.
///
/// The first pass opens nothing: files that a later record has dropped may be gone already.
final class CellReplay {
    private final Log log;
    private final Map<Long, Outline> outlines = new HashMap<>();
    private long timestamp;
    private final OpenTransactions transactions;
    private boolean stateFound;

    private CellReplay(Log log, OpenTransactions transactions) {
        this.log = log;
        this.transactions = transactions;
    }

    static void run(Log log, CellState state) {
        state.restore(new CellReplay(log, state.transactions()).findStructure());
        fillMemtables(log, state);
    }

    /// The first pass alone.
    static List<TabletState> structure(Log log) {
        return new CellReplay(log, new OpenTransactions()).findStructure().tablets();
    }

    /// What is known of a tablet on the way through the log.
    private static final class Outline {
        TabletSpec spec;
        final List<Slice> slices;
        final List<RangeErase> erases;
        long lastFlushed;
        long replayFrom;

        Outline(TabletState state) {
            spec = state.spec();
            slices = new ArrayList<>(state.slices());
            erases = new ArrayList<>(state.erases());
            lastFlushed = state.lastGeneration();
            replayFrom = state.replayFrom();
        }

        TabletState save() {
            return new TabletState(spec, lastFlushed, replayFrom, slices, erases);
        }
    }

    private State findStructure() {
        Map<Long, List<Long>> freezes = new HashMap<>();
        try (LogCursor cursor = log.read(log.firstPosition())) {
            while (cursor.next()) {
                if (!RecordCodec.isCommit(cursor.record())) {
                    outline(cursor.position(), RecordCodec.decode(cursor.record()), freezes);
                }
            }
        }
        refuseIfTrimmedTooFar();
        return new State(timestamp, outlines.values().stream().map(Outline::save).toList());
    }

    /// The log is trimmed only behind a state, and never past what a tablet needs of it.
    private void refuseIfTrimmedTooFar() {
        long first = log.firstPosition();
        if (first > 0 && !stateFound) {
            throw new CorruptionException(
                    log.name(), 0, "begins at record " + first + " and holds no state of the cell");
        }
        for (Outline outline : outlines.values()) {
            if (outline.replayFrom < first) {
                throw new CorruptionException(
                        log.name(),
                        0,
                        "begins at record %d, but tablet %d needs record %d"
                                .formatted(first, outline.spec.tabletId(), outline.replayFrom));
            }
        }
    }

    private void outline(long position, CellRecord record, Map<Long, List<Long>> freezes) {
        switch (record) {
            case Commit _ -> {}
            case OfTransaction step -> transactions.apply(step);
            case Freeze(long tabletId) ->
                    freezes.computeIfAbsent(tabletId, _ -> new ArrayList<>()).add(position);
            case CreateTablets(List<TabletSpec> tablets) ->
                    tablets.forEach(
                            spec ->
                                    begin(
                                            new TabletState(
                                                    spec, 0, position, List.of(), List.of())));
            case EraseRange(long erased, long tabletId, KeyRange range) -> {
                timestamp = Math.max(timestamp, erased);
                Outline outline = outlines.get(tabletId);
                if (outline != null) {
                    outline.erases.add(new RangeErase(range.from(), range.to(), erased));
                }
            }
            case DropTablets(List<Long> tabletIds) -> tabletIds.forEach(outlines::remove);
            case Configure(List<Long> tabletIds, TreeSettings settings) -> {
                for (long tabletId : tabletIds) {
                    Outline outline = outlines.get(tabletId);
                    if (outline != null) {
                        outline.spec = outline.spec.with(settings);
                    }
                }
            }
            case Flushed(long tabletId, long generation, List<Slice> slices) -> {
                Outline outline = outlines.get(tabletId);
                if (outline != null) {
                    outline.slices.addAll(slices);
                    outline.lastFlushed = generation;
                    outline.replayFrom = firstFreeze(freezes, outline) + 1;
                }
            }
            case Ingested(long ingested, long tabletId, List<Slice> slices) -> {
                timestamp = Math.max(timestamp, ingested);
                Outline outline = outlines.get(tabletId);
                if (outline != null) {
                    outline.slices.addAll(slices);
                }
            }
            case Compacted(long tabletId, List<Slice> removed, List<Slice> added) -> {
                Outline outline = outlines.get(tabletId);
                if (outline != null) {
                    outline.slices.removeAll(removed);
                    outline.slices.addAll(added);
                }
            }
            case State(long newest, List<TabletState> tablets) -> {
                // It repeats everything: what was found before it does not matter.
                timestamp = newest;
                stateFound = true;
                outlines.clear();
                tablets.forEach(this::begin);
            }
        }
    }

    private void begin(TabletState tablet) {
        outlines.put(tablet.spec().tabletId(), new Outline(tablet));
    }

    /// Where the oldest memtable that was not flushed ends.
    private static long firstFreeze(Map<Long, List<Long>> freezes, Outline outline) {
        return freezes.getOrDefault(outline.spec.tabletId(), List.of()).stream()
                .filter(position -> position >= outline.replayFrom)
                .findFirst()
                .orElseThrow(
                        () ->
                                new IllegalStateException(
                                        "tablet "
                                                + outline.spec.tabletId()
                                                + " was flushed without having been frozen"));
    }

    private static void fillMemtables(Log log, CellState state) {
        try (LogCursor cursor = log.read(log.firstPosition())) {
            while (cursor.next()) {
                state.log().appended(cursor.position(), cursor.record().length());
                switch (RecordCodec.decode(cursor.record())) {
                    case Commit(long commitTimestamp, List<TabletWrites> writes) -> {
                        write(state, cursor.position(), commitTimestamp, writes);
                    }
                    case Decide(long decidedTimestamp, _, _, List<TabletWrites> writes) -> {
                        write(state, cursor.position(), decidedTimestamp, writes);
                    }
                    case Outcome(
                                    _,
                                    Decision.Commit(long decidedTimestamp),
                                    List<TabletWrites> writes) -> {
                        write(state, cursor.position(), decidedTimestamp, writes);
                    }
                    case Freeze freeze -> {
                        if (wants(state, freeze.tabletId(), cursor.position())) {
                            state.apply(cursor.position(), freeze);
                        }
                    }
                    case CreateTablets _,
                            DropTablets _,
                            Configure _,
                            EraseRange _,
                            Ingested _,
                            Flushed _,
                            Compacted _,
                            OfTransaction _,
                            State _ -> {}
                }
            }
        }
    }

    private static void write(
            CellState state, long position, long timestamp, List<TabletWrites> writes) {
        state.reached(timestamp);
        for (TabletWrites tablet : writes) {
            if (wants(state, tablet.tabletId(), position)) {
                state.write(timestamp, tablet);
            }
        }
    }

    /// Whether a row event at this position is missing in the tablet's files.
    private static boolean wants(CellState state, long tabletId, long position) {
        Replayed replayed = state.replayed(tabletId);
        return replayed != null && position >= replayed.replayFrom;
    }
}
