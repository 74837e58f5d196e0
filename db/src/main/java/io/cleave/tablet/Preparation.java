package io.cleave.tablet;

import org.jspecify.annotations.Nullable;

import java.util.List;

/// One cell's part of a transaction over several.
///
/// @param transactionId from [Timeline#newId]
/// @param coordinatorId the cell that decides
/// @param participants the other cells with writes
/// @param writes those to tablets of this cell
/// @param locks all of the transaction's; those of this cell are pinned
/// @param writeSnapshot if there, no key may have been written after it
public record Preparation(
        long transactionId,
        long coordinatorId,
        List<Long> participants,
        List<TabletWrites> writes,
        ReadLocks locks,
        @Nullable Long writeSnapshot) {
    public Preparation {
        participants = List.copyOf(participants);
        writes = List.copyOf(writes);
    }
}
