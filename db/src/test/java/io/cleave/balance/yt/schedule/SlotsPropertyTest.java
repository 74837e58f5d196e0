package io.cleave.balance.yt.schedule;

import static org.assertj.core.api.Assertions.assertThat;

import io.cleave.balance.yt.formula.Formula;

import org.junit.jupiter.api.Test;

import java.time.Duration;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.zone.ZoneOffsetTransition;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.SplittableRandom;
import java.util.stream.LongStream;

/// Iterations that start at random times test every local minute once, in order, whatever the clock
/// of their zone does.
class SlotsPropertyTest {
    private static final int ROUNDS = Integer.getInteger("rounds", 300);

    /// Some have steps of half an hour, of a day, or into the past of another zone.
    private static final List<String> ZONES =
            List.of(
                    "UTC",
                    "Europe/Berlin",
                    "Europe/Moscow",
                    "America/New_York",
                    "Australia/Lord_Howe",
                    "Pacific/Apia",
                    "Pacific/Kwajalein",
                    "Asia/Kathmandu",
                    "Africa/Casablanca",
                    "Africa/Monrovia",
                    "America/Juneau",
                    "Asia/Manila");

    @Test
    void noLocalMinuteIsMissedOrTestedTwice() {
        long seed = Long.getLong("seed", new Random().nextLong());
        var random = new SplittableRandom(seed);
        for (int round = 0; round < ROUNDS; round++) {
            ZoneId zone = zone(random);
            Instant current = nearAStep(zone, random);
            Instant end = current.plus(Duration.ofHours(60));
            String story = "-Dseed=%d: %s from %s".formatted(seed, zone, current);
            Duration period = Duration.ofSeconds(60 + random.nextInt(600));
            Slots slots = Slots.between(Optional.empty(), current, period, zone);
            long next = slots.to();
            while (current.isBefore(end)) {
                Instant previous = current;
                current = current.plusNanos(1 + random.nextLong(period.toNanos() * 2));
                slots = Slots.between(Optional.of(previous), current, period, zone);
                // A clock that skips a day has shown every time of day since.
                assertThat(slots.from())
                        .as("%s at %s", story, current)
                        .isEqualTo(Math.max(next, slots.to() - Slots.MINUTES_OF_DAY));
                assertThat(slots.to()).as("%s at %s", story, current).isGreaterThanOrEqualTo(next);
                next = slots.to();
            }
            assertThat(next).as(story).isEqualTo(new LocalClock(zone).minute(current) + 1);
        }
    }

    /// The clock's own reading decides which minutes it has shown: those, and those between them,
    /// are the ones that are tested, and none of them later than it was first shown.
    @Test
    void aMinuteIsTestedWhenTheClockFirstReachesIt() {
        long seed = Long.getLong("seed", new Random().nextLong());
        var random = new SplittableRandom(seed);
        for (int round = 0; round < ROUNDS; round++) {
            ZoneId zone = zone(random);
            Instant at = Slots.startOfMinute(nearAStep(zone, random));
            long greatest = Long.MIN_VALUE;
            for (int minute = 0; minute < 60 * 60; minute++) {
                long shown = shown(at, zone);
                // What the clock showed before the walk began is not known for its first 36 hours.
                if (minute > 36 * 60) {
                    Slots own = Slots.between(Optional.empty(), at, Duration.ofMinutes(2), zone);
                    assertThat(own.to() - 1)
                            .as("-Dseed=%d: %s at %s", seed, zone, at)
                            .isEqualTo(Math.max(greatest, shown));
                    assertThat(own.isEmpty()).isEqualTo(shown <= greatest);
                }
                greatest = Math.max(greatest, shown);
                at = at.plusSeconds(60);
            }
        }
    }

    @Test
    void aDailyScheduleFiresOnceADay() {
        long seed = Long.getLong("seed", new Random().nextLong());
        var random = new SplittableRandom(seed);
        for (int round = 0; round < ROUNDS / 10; round++) {
            ZoneId zone = ZoneId.of(random.nextBoolean() ? "Europe/Berlin" : "Australia/Lord_Howe");
            int hour = random.nextInt(24);
            int minute = random.nextInt(60);
            Formula formula = Formula.parse("hours == %d && minutes == %d".formatted(hour, minute));
            var schedule = new Schedule("party", formula, Schedule.Origin.BUNDLE);
            Instant start = LocalDateTime.of(2026, 1, 1, 0, 0).atZone(zone).toInstant();
            Instant end = start.plus(Duration.ofDays(365));
            List<LocalDateTime> fired = new ArrayList<>();
            Instant previous = start;
            while (previous.isBefore(end)) {
                Instant current = previous.plusSeconds(60 + random.nextInt(3000));
                Slots slots =
                        Slots.between(Optional.of(previous), current, Duration.ofMinutes(5), zone);
                schedule.test(slots).fired().ifPresent(fired::add);
                previous = current;
            }
            List<LocalDateTime> expected =
                    LongStream.range(0, fired.size())
                            .mapToObj(day -> fired.getFirst().plusDays(day))
                            .toList();
            assertThat(fired)
                    .as("-Dseed=%d: %s %s", seed, zone, formula)
                    .isEqualTo(expected)
                    .hasSizeBetween(364, 366);
        }
    }

    private static ZoneId zone(SplittableRandom random) {
        return ZoneId.of(ZONES.get(random.nextInt(ZONES.size())));
    }

    /// A time up to two days before a step of the zone's clock, if it has any.
    private static Instant nearAStep(ZoneId zone, SplittableRandom random) {
        List<ZoneOffsetTransition> steps = new ArrayList<>(zone.getRules().getTransitions());
        // Before, clocks stepped in the middle of minutes.
        steps.removeIf(step -> step.getInstant().isBefore(Instant.EPOCH));
        ZoneOffsetTransition next =
                zone.getRules().nextTransition(Instant.parse("2026-01-01T00:00:00Z"));
        if (next != null) {
            steps.add(next);
            steps.add(zone.getRules().nextTransition(next.getInstant()));
        }
        Instant step =
                steps.isEmpty()
                        ? Instant.parse("2026-11-19T05:44:34.5Z")
                        : steps.get(random.nextInt(steps.size())).getInstant();
        return step.minusSeconds(random.nextInt(2 * 24 * 60 * 60))
                .plusNanos(random.nextInt(1_000_000));
    }

    private static long shown(Instant instant, ZoneId zone) {
        LocalDateTime local = LocalDateTime.ofInstant(instant, zone);
        return Math.floorDiv(local.toEpochSecond(ZoneOffset.UTC), 60L);
    }
}
