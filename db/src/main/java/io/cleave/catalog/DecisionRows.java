package io.cleave.catalog;

import io.cleave.base.Bytes;

import java.util.Collection;
import java.util.SortedMap;

/// What was decided about tablets, by number, as bytes that are understood above.
///
/// Threads: any; of two who put the same number at a time, one is last.
public interface DecisionRows {
    SortedMap<Long, Bytes> read();

    /// All of it or nothing; durable when it returns.
    void change(SortedMap<Long, Bytes> puts, Collection<Long> removals);
}
