package io.cleave.balance.yt.whatif;

import io.cleave.base.Status;
import io.cleave.base.StatusException;

import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;

/// What is supposed about a bundle, and how far to look ahead.
///
/// @param settings other values of options; paths of tables are absolute
/// @param cellCount how many cells the bundle is supposed to have; empty for those it has
/// @param at the minute at which schedules are tested. If it is empty, every group has a round,
///   whatever its schedule says
/// @param mostRounds how many rounds follow one after the other at most
public record WhatIf(
        String bundle,
        List<SupposedSetting> settings,
        OptionalInt cellCount,
        Optional<Instant> at,
        int mostRounds) {
    public static final int DEFAULT_ROUNDS = 20;
    public static final int MOST_ROUNDS = 1000;
    public static final int MOST_CELLS = 10_000;

    public WhatIf {
        settings = List.copyOf(settings);
        if (cellCount.isPresent()
                && (cellCount.getAsInt() < 1 || cellCount.getAsInt() > MOST_CELLS)) {
            throw refused(
                    "a bundle must have between 1 and %d cells, not %d"
                            .formatted(MOST_CELLS, cellCount.getAsInt()));
        }
        if (mostRounds < 1 || mostRounds > MOST_ROUNDS) {
            throw refused(
                    "a plan must have between 1 and %d rounds, not %d"
                            .formatted(MOST_ROUNDS, mostRounds));
        }
    }

    /// A round now, and those that follow it.
    public static WhatIf now(String bundle, int mostRounds) {
        return new WhatIf(bundle, List.of(), OptionalInt.empty(), Optional.empty(), mostRounds);
    }

    private static StatusException refused(String why) {
        return new StatusException(Status.BAD_REQUEST, why);
    }
}
