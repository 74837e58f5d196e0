package io.cleave.control;

import io.cleave.base.Bytes;
import io.cleave.catalog.DecisionRows;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.SortedMap;

/// Decisions that are saved late, or not at all.
final class TroubledRows implements DecisionRows {
    private final DecisionRows rows;
    private Runnable trouble = () -> {};

    /// What was to be removed, in the order of the calls.
    final List<Long> removals = new ArrayList<>();

    TroubledRows(DecisionRows rows) {
        this.rows = rows;
    }

    /// From now on this comes before whatever is changed.
    void trouble(Runnable newTrouble) {
        trouble = newTrouble;
    }

    @Override
    public SortedMap<Long, Bytes> read() {
        return rows.read();
    }

    @Override
    public void change(SortedMap<Long, Bytes> puts, Collection<Long> removed) {
        if (puts.isEmpty() && removed.isEmpty()) {
            return;
        }
        trouble.run();
        rows.change(puts, removed);
        removals.addAll(removed);
    }
}
