package io.cleave.balance.yt.schedule;

import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.zone.ZoneOffsetTransition;
import java.time.zone.ZoneRules;

/// The local minutes of a time zone, counted from the epoch as if the zone had no offset. The count
/// never goes back: while the clock repeats an hour, it stands still.
///
/// @param zone the time zone
record LocalClock(ZoneId zone) {
    /// The greatest step back of a clock: from one end of the offsets to the other.
    private static final Duration GREATEST_STEP = Duration.ofHours(36);

    /// The greatest local minute that the clock has shown.
    long minute(Instant instant) {
        ZoneRules rules = zone.getRules();
        long greatest = localMinute(instant, rules.getOffset(instant));
        ZoneOffsetTransition step = rules.previousTransition(instant.plusNanos(1));
        while (step != null && step.getInstant().isAfter(instant.minus(GREATEST_STEP))) {
            if (step.isOverlap()) {
                Instant before = step.getInstant().minusNanos(1);
                greatest = Math.max(greatest, localMinute(before, step.getOffsetBefore()));
            }
            step = rules.previousTransition(step.getInstant());
        }
        return greatest;
    }

    private static long localMinute(Instant instant, ZoneOffset offset) {
        return Math.floorDiv(instant.getEpochSecond() + offset.getTotalSeconds(), 60);
    }
}
