package io.cleave.tablet;

import io.cleave.base.Env;
import io.cleave.log.Log;
import io.cleave.lsm.Slice;
import io.cleave.lsm.TableFiles;

import org.jspecify.annotations.Nullable;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;

/// A cell as its log tells it, for looking only: nothing is written, flushed or removed, and nobody
/// is fenced.
public final class CellImage {
    private final Log log;
    private final CellState state;

    private CellImage(Log log, CellState state) {
        this.log = log;
        this.state = state;
    }

    Log log() {
        return log;
    }

    CellState state() {
        return state;
    }

    /// A tablet and the files that the log says it has; detached if it was on its way to another
    /// cell when the log ended.
    public record Outline(TabletSpec spec, List<Slice> slices, boolean isDetached) {
        public Outline {
            slices = List.copyOf(slices);
        }
    }

    /// The tablets and their files; opens none of the files.
    public static List<Outline> outlines(Log log) {
        return CellReplay.structure(log).stream()
                .map(
                        tablet ->
                                new Outline(
                                        tablet.spec(), tablet.slices(), tablet.departure() != null))
                .toList();
    }

    /// The whole cell, with its rows.
    public static CellImage read(Log log, TableFiles files, Env env) {
        var state =
                new CellState(
                        Cell.SYSTEM_ID,
                        new BlobReferences(files),
                        new LogMeter(Long.MAX_VALUE),
                        env);
        CellReplay.run(log, state);
        return new CellImage(log, state);
    }

    public @Nullable Tablet tablet(long tabletId) {
        return state.tablet(tabletId);
    }

    /// What it has promised in transactions over several cells without having heard their outcome:
    /// of each transaction the cell that decides.
    public Map<Long, Long> promised() {
        Map<Long, Long> promised = new HashMap<>();
        state.transactions()
                .prepared()
                .forEach(each -> promised.put(each.transactionId(), each.coordinatorId()));
        return promised;
    }

    /// The time of a transaction that this cell has decided on; empty if it has not, or all others
    /// know.
    public OptionalLong decided(long transactionId) {
        return state.transactions().decided().stream()
                .filter(each -> each.transactionId() == transactionId)
                .mapToLong(CellRecord.Decided::timestamp)
                .findFirst();
    }

    /// A snapshot at this sees everything.
    public long newestTimestamp() {
        return state.maxTimestamp();
    }
}
