package io.cleave.tablet;

import io.cleave.base.Env;
import io.cleave.log.Log;
import io.cleave.log.OnDamage;
import io.cleave.lsm.table.Slice;
import io.cleave.lsm.table.TableFiles;
import io.cleave.tablet.pace.LogMeter;
import io.cleave.tablet.record.CellRecord;
import io.cleave.tablet.record.TabletSpec;

import org.jspecify.annotations.Nullable;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;

/// A read-only image of a cell, built from its log. Nothing is written, flushed or deleted, and no
/// writer is fenced.
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

    /// A tablet and its files according to the log. `isDetached` if the tablet was on its way to
    /// another cell when the log ended.
    public record Outline(TabletSpec spec, List<Slice> slices, boolean isDetached) {
        public Outline {
            slices = List.copyOf(slices);
        }
    }

    /// The tablets and their files. Opens none of the files.
    public static List<Outline> outlines(Log log) {
        return CellReplay.structure(log).stream()
                .map(
                        tablet ->
                                new Outline(
                                        tablet.spec(), tablet.slices(), tablet.departure() != null))
                .toList();
    }

    /// Reads the whole cell, with its rows.
    public static CellImage read(Log log, TableFiles files, Env env) {
        var state =
                new CellState(
                        CellJournal.SYSTEM_ID,
                        new BlobReferences(files),
                        new LogMeter(Long.MAX_VALUE),
                        env);
        CellReplay.run(log, state, new LostFiles(files, OnDamage.LOOK));
        return new CellImage(log, state);
    }

    public @Nullable Tablet tablet(long tabletId) {
        return state.tablet(tabletId);
    }

    /// Multi-cell transactions that this cell has prepared and whose outcome it does not know: from
    /// transaction id to the id of the coordinator cell.
    public Map<Long, Long> promised() {
        Map<Long, Long> promised = new HashMap<>();
        state.transactions()
                .prepared()
                .forEach(each -> promised.put(each.transactionId(), each.coordinatorId()));
        return promised;
    }

    /// The timestamp of a transaction that this cell has decided to commit. Empty if it has not
    /// decided, or if all participants know the decision.
    public OptionalLong decided(long transactionId) {
        return state.transactions().decided().stream()
                .filter(each -> each.transactionId() == transactionId)
                .mapToLong(CellRecord.Decided::timestamp)
                .findFirst();
    }

    /// A snapshot at this timestamp sees everything.
    public long newestTimestamp() {
        return state.maxTimestamp();
    }
}
