package io.cleave.catalog;

import io.cleave.base.Bytes;
import io.cleave.base.Direction;

import java.util.Collection;
import java.util.List;
import java.util.SortedMap;

/// The stored decisions about tablets, by number. Their bytes are encoded and decoded by `control`.
///
/// Threads: any. If two threads put the same number at the same time, one of them wins.
public interface DecisionRows {
    /// Limit of the rows in a page.
    int PAGE_ROWS = 256;

    /// A page ends with the row that reaches this size.
    long PAGE_BYTES = 1 << 20;

    record StoredRow(long number, Bytes data) {}

    /// The first rows, in this direction, with numbers from `from` (included) to `to` (excluded).
    /// There may be more rows after the last one of the page; the page is empty if there are none.
    List<StoredRow> page(long from, long to, Direction direction);

    /// Makes all the changes or none; they are durable when this returns. A row of an action and
    /// the decision that it follows from change together.
    void change(SortedMap<Long, Bytes> puts, Collection<Long> removals, ActionRows.Change actions);

    default void change(SortedMap<Long, Bytes> puts, Collection<Long> removals) {
        change(puts, removals, ActionRows.Change.NONE);
    }
}
