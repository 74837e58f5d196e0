package io.cleave.control;

import io.cleave.base.Bytes;
import io.cleave.base.Direction;
import io.cleave.catalog.ActionRows;
import io.cleave.catalog.DecisionRows;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.SortedMap;

/// Decisions that are saved late, or not at all.
final class TroubledRows implements DecisionRows {
    private final DecisionRows rows;
    private Runnable trouble = () -> {};
    private Runnable readTrouble = () -> {};

    /// What was to be removed, in the order of the calls.
    final List<Long> removals = new ArrayList<>();

    TroubledRows(DecisionRows rows) {
        this.rows = rows;
    }

    /// From now on this comes before whatever is changed.
    void trouble(Runnable newTrouble) {
        trouble = newTrouble;
    }

    /// How many rows were read.
    int rowsRead;

    @Override
    public List<StoredRow> page(long from, long to, Direction direction) {
        readTrouble.run();
        List<StoredRow> page = rows.page(from, to, direction);
        rowsRead += page.size();
        return page;
    }

    /// The numbers of all rows but the summary.
    static List<Long> numbers(DecisionRows rows) {
        List<Long> numbers = new ArrayList<>();
        List<StoredRow> page = rows.page(1, Long.MAX_VALUE, Direction.FORWARD);
        while (!page.isEmpty()) {
            page.forEach(row -> numbers.add(row.number()));
            page = rows.page(page.getLast().number() + 1, Long.MAX_VALUE, Direction.FORWARD);
        }
        return numbers;
    }

    /// From now on this comes before whatever is read.
    void readTrouble(Runnable newTrouble) {
        readTrouble = newTrouble;
    }

    @Override
    public void change(
            SortedMap<Long, Bytes> puts, Collection<Long> removed, ActionRows.Change actions) {
        if (puts.isEmpty() && removed.isEmpty() && actions.isEmpty()) {
            return;
        }
        trouble.run();
        rows.change(puts, removed, actions);
        removals.addAll(removed);
    }
}
