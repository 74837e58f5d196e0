package io.cleave.catalog;

import io.cleave.base.Bytes;

import java.util.Collection;
import java.util.SortedMap;

/// The stored decisions about tablets, by number. Their bytes are encoded and decoded by `cluster`.
///
/// Threads: any. If two threads put the same number at the same time, one of them wins.
public interface DecisionRows {
    SortedMap<Long, Bytes> read();

    /// Makes all the changes or none; they are durable when this returns.
    void change(SortedMap<Long, Bytes> puts, Collection<Long> removals);
}
