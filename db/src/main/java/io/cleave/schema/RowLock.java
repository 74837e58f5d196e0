package io.cleave.schema;

import io.cleave.base.Bytes;

/// A lock that a transaction takes on a row without writing it. The lock is checked when the
/// transaction commits.
///
/// @param groups a mask of [LockGroups]
public record RowLock(Bytes key, long groups, Kind kind) {
    public enum Kind {
        /// The row must not have been written since the transaction began.
        SHARED_WEAK,
        /// Like SHARED_WEAK. In addition, transactions that began before this one committed cannot
        /// write the row.
        SHARED_STRONG,
        /// Like a write: nobody else may have written or locked the row since the transaction
        /// began.
        EXCLUSIVE
    }
}
