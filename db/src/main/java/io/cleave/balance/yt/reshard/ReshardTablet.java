package io.cleave.balance.yt.reshard;

import io.cleave.base.Check;
import io.cleave.schema.MountState;

import java.util.Optional;

/// What a reshard looks at in a tablet.
///
/// @param partitionCount into how many parts its data could be cut without a look at the keys
/// @param metric its load by the expression of its group; 0 if the group has none
public record ReshardTablet(
        long tabletId,
        MountState state,
        long compressedBytes,
        long uncompressedBytes,
        int partitionCount,
        double metric) {
    public ReshardTablet {
        Check.that(
                compressedBytes >= 0 && uncompressedBytes >= 0,
                "the size of tablet %d is negative",
                tabletId);
    }

    /// The size that its table is resharded by.
    long bytes(InMemoryMode mode) {
        return mode == InMemoryMode.COMPRESSED ? compressedBytes : uncompressedBytes;
    }

    boolean isCandidate() {
        return state == MountState.MOUNTED;
    }

    /// Why a tablet in this state is left alone; empty for a mounted one.
    Optional<LeaveReason> stateReason() {
        return switch (state) {
            case MOUNTED -> Optional.empty();
            case FREEZING, FROZEN, FROZEN_MOUNTING -> Optional.of(LeaveReason.FROZEN);
            case MOUNTING, UNMOUNTING, UNMOUNTED, UNFREEZING ->
                    Optional.of(LeaveReason.NOT_MOUNTED);
        };
    }
}
