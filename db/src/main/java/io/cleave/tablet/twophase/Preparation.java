package io.cleave.tablet.twophase;

import io.cleave.tablet.record.TabletWrites;
import io.cleave.time.Timeline;

import org.jspecify.annotations.Nullable;

import java.util.List;

/// One cell's part of a multi-cell transaction.
///
/// @param transactionId from [Timeline#newId]
/// @param coordinatorId the cell that decides
/// @param participants the other cells with writes
/// @param writes to tablets of this cell
/// @param ownerId the owner of the transaction's read locks; those in this cell are pinned
/// @param writeSnapshot if present, no key may have been written after it
public record Preparation(
        long transactionId,
        long coordinatorId,
        List<Long> participants,
        List<TabletWrites> writes,
        long ownerId,
        @Nullable Long writeSnapshot) {
    public Preparation {
        participants = List.copyOf(participants);
        writes = List.copyOf(writes);
    }
}
