package io.cleave.schema;

import io.cleave.base.Bytes;

/// Why a transaction with row locks could not commit.
///
/// @param groups the lock groups that both transactions wanted, as a mask of [LockGroups]
/// @param winner the timestamp of the commit that came first
public record RowConflict(long tabletId, Bytes key, long groups, Reason reason, long winner) {
    public enum Reason {
        /// Another transaction has written the row, or locked it exclusively.
        WRITTEN,
        /// Another transaction has a strong shared lock on the row that is to be written.
        READ_LOCKED
    }

    /// The number of the first group; 0 is the primary one.
    public int group() {
        return Long.numberOfTrailingZeros(groups);
    }
}
