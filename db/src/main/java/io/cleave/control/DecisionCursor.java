package io.cleave.control;

import io.cleave.base.Direction;
import io.cleave.catalog.DecisionRows.StoredRow;

import org.jspecify.annotations.Nullable;

import java.util.ArrayDeque;
import java.util.Iterator;
import java.util.NavigableMap;
import java.util.NoSuchElementException;
import java.util.Objects;
import java.util.Optional;
import java.util.Queue;
import java.util.Set;

/// Decisions in the order of their numbers: those in memory as they were at the beginning, and the
/// others from their rows. Only one page of rows is in memory at a time.
///
/// Threads: one at a time.
final class DecisionCursor implements Iterator<TabletDecision> {
    private final StoredDecisions stored;

    /// They hide their rows.
    private final NavigableMap<Long, TabletDecision> inMemory;

    /// The numbers of notes that were removed, and may still have rows.
    private final Set<Long> removed;

    private final Direction direction;
    private final Queue<StoredRow> page = new ArrayDeque<>();

    /// The rows that are not in the page yet.
    private long from;

    private long to;
    private @Nullable TabletDecision next;

    DecisionCursor(
            StoredDecisions stored,
            RecentDecisions.Part recent,
            long from,
            long to,
            Direction direction) {
        this.stored = stored;
        inMemory = recent.entries();
        removed = recent.removed();
        this.from = from;
        this.to = to;
        this.direction = direction;
        next = find();
    }

    @Override
    public boolean hasNext() {
        return next != null;
    }

    @Override
    public TabletDecision next() {
        TabletDecision found = next;
        if (found == null) {
            throw new NoSuchElementException("the last decision was passed");
        }
        next = find();
        return found;
    }

    private @Nullable TabletDecision find() {
        while (true) {
            StoredRow row = nextRow();
            boolean isInMemory =
                    !inMemory.isEmpty() && (row == null || !comesFirst(row.number(), nearest()));
            if (isInMemory) {
                return takeFromMemory(row);
            }
            if (row == null) {
                return null;
            }
            page.remove();
            Optional<TabletDecision> read =
                    removed.contains(row.number()) ? Optional.empty() : stored.decode(row);
            if (read.isPresent()) {
                return read.get();
            }
        }
    }

    private TabletDecision takeFromMemory(@Nullable StoredRow row) {
        long number = nearest();
        if (row != null && row.number() == number) {
            page.remove();
        }
        return Objects.requireNonNull(inMemory.remove(number));
    }

    private long nearest() {
        return direction == Direction.FORWARD ? inMemory.firstKey() : inMemory.lastKey();
    }

    private boolean comesFirst(long number, long other) {
        return direction == Direction.FORWARD ? number < other : number > other;
    }

    private @Nullable StoredRow nextRow() {
        if (page.isEmpty() && from < to) {
            page.addAll(stored.page(from, to, direction));
            long last = from;
            for (StoredRow row : page) {
                last = row.number();
            }
            if (page.isEmpty()) {
                to = from;
            } else if (direction == Direction.FORWARD) {
                from = last + 1;
            } else {
                to = last;
            }
        }
        return page.peek();
    }
}
