package io.cleave.tablet.twophase;

import io.cleave.tablet.record.CellRecord.Decided;
import io.cleave.tablet.record.CellRecord.Forget;
import io.cleave.tablet.record.CellRecord.OfTransaction;
import io.cleave.tablet.record.CellRecord.Outcome;
import io.cleave.tablet.record.CellRecord.Prepare;
import io.cleave.tablet.record.CommitDecision;

import java.util.HashMap;
import java.util.List;
import java.util.Map;

/// The timestamps that other cells have certainly reached, according to the log of one cell. An
/// outcome is logged after the coordinator's decision became durable. A decision is forgotten after
/// the outcomes of all participants became durable. One entry for each other cell.
///
/// Threads: only the thread that replays.
public final class OthersReached {
    private final Map<Long, Reached> newest = new HashMap<>();

    /// The other cell had a durable record of this transaction, which has this timestamp.
    public record Reached(long timestamp, long transactionId) {}

    /// Must be called before `open` applies the record.
    public void learn(OfTransaction record, OpenTransactions open) {
        if (record instanceof Outcome(long id, CommitDecision.Commit(long timestamp), _)) {
            Prepare prepared = open.prepared(id);
            if (prepared != null) {
                add(prepared.coordinatorId(), new Reached(timestamp, id));
            }
        } else if (record instanceof Forget(List<Long> transactionIds)) {
            for (long id : transactionIds) {
                Decided decided = open.decided(id);
                if (decided != null) {
                    var reached = new Reached(decided.timestamp(), id);
                    decided.participants().forEach(cellId -> add(cellId, reached));
                }
            }
        }
    }

    private void add(long cellId, Reached reached) {
        newest.merge(cellId, reached, (old, now) -> now.timestamp() > old.timestamp() ? now : old);
    }

    public Map<Long, Reached> byCell() {
        return newest;
    }
}
