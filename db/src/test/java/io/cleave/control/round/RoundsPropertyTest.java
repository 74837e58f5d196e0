package io.cleave.control.round;

import static org.assertj.core.api.Assertions.assertThat;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.function.LongPredicate;

/// Iterations at random times, with restarts, clocks that jump, unfinished changes and a system
/// cell that refuses writes, against a model that counts minutes.
class RoundsPropertyTest {
    private static final int RUNS = Integer.getInteger("rounds", 200);
    private static final int STEPS = 200;
    private static final Duration HOUR = Duration.ofHours(1);

    private record Formula(String text, LongPredicate isTrue) {}

    private static final List<Formula> FORMULAS =
            List.of(
                    new Formula("1", _ -> true),
                    new Formula("minutes % 5 == 0", minute -> minute % 5 == 0),
                    new Formula("minutes == 17", minute -> minute % 60 == 17),
                    new Formula(
                            "(minutes + hours) % 3 != 0",
                            minute -> {
                                long ofDay = Math.floorMod(minute, 24 * 60L);
                                return (ofDay % 60 + ofDay / 60) % 3 != 0;
                            }));

    @Test
    void aMinuteIsTestedAtMostOnceWhateverHappens() {
        run(true);
    }

    /// Without jumps of the clock.
    @Test
    void noneOfTheLastTenMinutesIsMissed() {
        run(false);
    }

    private static void run(boolean jumps) {
        long seed = Long.getLong("seed", new Random().nextLong());
        var random = new SplittableRandom(seed);
        for (int run = 0; run < RUNS; run++) {
            var model = new Model(random, jumps, "-Dseed=%d, run %d".formatted(seed, run));
            for (int step = 0; step < STEPS; step++) {
                model.step();
            }
        }
    }

    private static final class Model {
        private final SplittableRandom random;
        private final boolean jumps;
        private final List<String> story = new ArrayList<>();
        private final DrawnRounds drawn = new DrawnRounds();
        private final Formula formula;
        private final Duration period;
        private boolean isBusy;
        private boolean isUneven;
        private boolean takesWrites = true;

        /// What is stored.
        private @Nullable Instant start;

        /// The latest iteration of the process whose starts were stored.
        private @Nullable Instant latest;

        private boolean hasMoves;
        private boolean hasReshards;

        /// Minutes since the epoch.
        private final Set<Long> tested = new HashSet<>();

        private long first = Long.MAX_VALUE;

        Model(SplittableRandom random, boolean jumps, String name) {
            this.random = random;
            this.jumps = jumps;
            formula = FORMULAS.get(random.nextInt(FORMULAS.size()));
            period = Duration.ofSeconds(60 + random.nextInt(random.nextBoolean() ? 120 : 1500));
            story.add(name + ": " + formula.text() + " every " + period);
            drawn.configure(
                    "{schedule=\"%s\";period=%d}".formatted(formula.text(), period.toMillis()));
            drawn.bundle("b", "");
            drawn.table("b", "legacy/t", "");
            drawn.jump(Instant.parse("2026-11-19T22:00:00Z").plusSeconds(random.nextInt(7200)));
            drawn.look();
        }

        void step() {
            if (random.nextInt(8) == 0) {
                drawn.restart();
                drawn.look();
                latest = null;
                story.add("restart");
            }
            if (jumps && random.nextInt(8) == 0) {
                int most = random.nextBoolean() ? 900 : 3 * 3600;
                drawn.jump(drawn.wall().plusSeconds(random.nextInt(-most, most)));
                story.add("jump to " + drawn.wall());
            }
            isBusy = random.nextInt(4) == 0;
            isUneven = random.nextBoolean();
            takesWrites = random.nextInt(8) != 0;
            drawn.busy("b", isBusy);
            drawn.uneven("legacy/t", isUneven);
            drawn.takeWrites(takesWrites);
            drawn.pass(period.plusSeconds(random.nextInt(40)));
            drawn.look();
            List<String> expected = isBusy ? List.of() : iterate(drawn.wall());
            List<String> events = drawn.events();
            latest = takesWrites ? drawn.wall() : latest;
            story.add("%s%s: %s".formatted(drawn.wall(), isBusy ? " busy" : "", events));
            assertThat(events).as(this::told).isEqualTo(expected);
        }

        private List<String> iterate(Instant now) {
            boolean isDropped = start != null && start.isAfter(now.plus(HOUR));
            Instant previous = start == null ? latest : start;
            if (previous != null && (isDropped || (start == null && previous.isAfter(now)))) {
                previous = null;
            }
            long minute = minute(now);
            long from = previous == null ? minute : minute(previous) + 1;
            Duration made = Duration.ofMinutes(10);
            made = period.plusMinutes(1).compareTo(made) > 0 ? period.plusMinutes(1) : made;
            long oldest = Math.max(from, minute(now.minus(made)));
            List<Long> minutes = minutes(oldest, minute + 1);
            boolean isFired = hasReshards || minutes.stream().anyMatch(formula.isTrue()::test);
            boolean isMoved = hasMoves && isUneven;
            if (!takesWrites) {
                return List.of();
            }
            if (isDropped) {
                tested.clear();
                first = Long.MAX_VALUE;
            }
            for (long each : minutes) {
                assertThat(tested.add(each)).as(this::told).isTrue();
                first = Math.min(first, each);
            }
            start = previous != null && previous.isAfter(now) ? previous : now;
            hasReshards = isMoved && isFired;
            hasMoves = !isMoved && isFired;
            if (!jumps) {
                assertThat(tested)
                        .as(this::told)
                        .containsAll(minutes(Math.max(first, minute - 9), minute + 1));
            }
            List<String> expected = new ArrayList<>();
            List<Long> missed = new ArrayList<>(minutes(from, oldest));
            missed.removeIf(each -> each <= minute - 24 * 60 || !formula.isTrue().test(each));
            if (!missed.isEmpty()) {
                expected.add(missedText(missed));
            }
            if (isMoved) {
                expected.add("moves of legacy/t");
            } else if (isFired) {
                expected.add("reshards of legacy/t");
            }
            return expected;
        }

        private static String missedText(List<Long> missed) {
            String first = text(missed.getFirst());
            return "legacy/t missed: the schedule was true "
                    + (missed.size() == 1
                            ? "at " + first
                            : "in %d minutes from %s to %s"
                                    .formatted(missed.size(), first, text(missed.getLast())))
                    + ", and nothing was balanced then";
        }

        private static String text(long minute) {
            return Instant.ofEpochSecond(minute * 60).toString().substring(0, 16);
        }

        private static long minute(Instant instant) {
            return Math.floorDiv(instant.getEpochSecond(), 60L);
        }

        private static List<Long> minutes(long from, long to) {
            List<Long> minutes = new ArrayList<>();
            for (long minute = from; minute < to; minute++) {
                minutes.add(minute);
            }
            return minutes;
        }

        private String told() {
            return String.join("\n", story);
        }
    }
}
