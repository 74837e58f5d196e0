package io.cleave.schema;

import java.util.List;

/// What a transaction with row locks demands of one tablet: since it began, nobody may have written
/// or locked what it writes or locks.
///
/// @param start the timestamp at which the transaction began. The transaction holds it, so that
///   later versions are not compacted away.
/// @param locks on rows, in addition to the writes
public record RowDemands(long start, LockGroups groups, List<RowLock> locks) {
    public RowDemands {
        locks = List.copyOf(locks);
    }
}
