package io.cleave.tablet.twophase;

import io.cleave.tablet.record.CellRecord.Decide;
import io.cleave.tablet.record.CellRecord.Decided;
import io.cleave.tablet.record.CellRecord.Forget;
import io.cleave.tablet.record.CellRecord.OfTransaction;
import io.cleave.tablet.record.CellRecord.Outcome;
import io.cleave.tablet.record.CellRecord.Prepare;
import io.cleave.tablet.record.CellRecord.Transactions;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// The open multi-cell transactions of a cell, as a function of its log: those that are prepared
/// and have no outcome, and decisions that participants may still ask for.
///
/// Threads: one at a time applies, as with `CellState`.
public final class OpenTransactions {
    private final Map<Long, Prepare> prepared = new LinkedHashMap<>();
    private final Map<Long, Decided> decided = new LinkedHashMap<>();

    public void apply(OfTransaction record) {
        switch (record) {
            case Prepare prepare -> prepared.put(prepare.transactionId(), prepare);
            case Decide(long timestamp, long transactionId, List<Long> participants, _) ->
                    decided.put(transactionId, new Decided(timestamp, transactionId, participants));
            case Outcome outcome -> prepared.remove(outcome.transactionId());
            case Forget(List<Long> transactionIds) -> transactionIds.forEach(decided::remove);
            case Transactions(List<Prepare> allPrepared, List<Decided> allDecided) -> {
                prepared.clear();
                decided.clear();
                allPrepared.forEach(each -> prepared.put(each.transactionId(), each));
                allDecided.forEach(each -> decided.put(each.transactionId(), each));
            }
        }
    }

    public boolean isEmpty() {
        return prepared.isEmpty() && decided.isEmpty();
    }

    /// All open transactions as one record.
    public Transactions save() {
        return new Transactions(
                new ArrayList<>(prepared.values()), new ArrayList<>(decided.values()));
    }

    /// Null if the transaction is not prepared or already has its outcome.
    public @Nullable Prepare prepared(long transactionId) {
        return prepared.get(transactionId);
    }

    /// Null if the transaction is not decided or already forgotten.
    public @Nullable Decided decided(long transactionId) {
        return decided.get(transactionId);
    }

    public Collection<Prepare> prepared() {
        return prepared.values();
    }

    public Collection<Decided> decided() {
        return decided.values();
    }

    /// The greatest timestamp or id of the open transactions. The timeline must continue after it.
    public long newest() {
        long newest = 0;
        for (long id : prepared.keySet()) {
            newest = Math.max(newest, id);
        }
        for (Decided each : decided.values()) {
            newest = Math.max(newest, each.timestamp());
        }
        return newest;
    }
}
