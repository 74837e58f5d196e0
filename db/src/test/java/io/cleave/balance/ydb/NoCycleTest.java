package io.cleave.balance.ydb;

import static org.assertj.core.api.Assertions.assertThat;

import io.cleave.balance.BalanceSettings;
import io.cleave.balance.Decision;
import io.cleave.balance.Decision.Leave;
import io.cleave.balance.Decision.Merge;
import io.cleave.balance.Decision.Move;
import io.cleave.balance.Decision.Reshard;
import io.cleave.balance.Decision.Split;
import io.cleave.balance.Decision.Warn;
import io.cleave.schema.Partitioning;

import org.junit.jupiter.api.Test;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.stream.LongStream;

/// Whatever a table's settings, rows and load are: while they stay as they are, its tablets come to
/// rest, and are never again cut and placed as they were before.
class NoCycleTest {
    /// Three thousand have been run, too: `-Drounds=3000`.
    private static final int ROUNDS = Integer.getInteger("rounds", 40);

    @Test
    void tabletsComeToRestUnderALoadThatDoesNotChange() {
        long seed = Long.getLong("seed", System.nanoTime());
        for (int round = 0; round < ROUNDS; round++) {
            Optional<String> cycle = cycle(seed + round, true);
            assertThat(cycle).as("-Dseed=%d", seed + round).isEmpty();
        }
    }

    /// Queues do not add up: they are gone as soon as a tablet is cut, and back when it is merged.
    @Test
    void withoutKnowingOfWhichLoadTheyCameTheyWouldNotRest() {
        assertThat(LongStream.range(110, 120).anyMatch(seed -> cycle(seed, false).isPresent()))
                .isTrue();
    }

    /// What happened, if it goes on for ever.
    private static Optional<String> cycle(long seed, boolean remembers) {
        var random = new Random(seed);
        // From a source of their own, so that the seeds of splits and merges stay what they were.
        var ofCells = new Random(~seed);
        BalanceSettings settings = settings(random, ofCells);
        int cells = 1 + ofCells.nextInt(4);
        var table = new ModelTable(random, partitioning(random), settings, cells, remembers);
        Set<List<String>> seen = new HashSet<>();
        seen.add(table.layout());
        List<String> story = new ArrayList<>();
        int quiet = 0;
        // By then everything is old enough, and no peak is from before the last change.
        while (quiet <= table.ticksToRest()) {
            quiet++;
            if (step(table, settings, story)) {
                quiet = 0;
                if (!seen.add(table.layout()) || story.size() > table.mostSteps()) {
                    return Optional.of(settings + "\n" + table + "\n" + String.join("\n", story));
                }
            }
            table.pass();
        }
        return Optional.empty();
    }

    /// Whether something was done: all splits of one look, or a merge, or a move.
    private static boolean step(ModelTable table, BalanceSettings settings, List<String> story) {
        int before = story.size();
        List<Decision> decisions =
                new YdbPolicy()
                        .decide(table.state(), table, settings)
                        .getOrDefault(DrawnTable.TABLE_ID, List.of());
        for (Decision decision : decisions) {
            switch (decision) {
                case Split split -> {
                    story.add(split.text(table::text));
                    table.split(split);
                }
                case Merge merge -> {
                    story.add(merge.text(table::text));
                    table.merge(merge);
                }
                case Move move -> {
                    story.add(move.text(table::text));
                    table.move(move);
                }
                case Reshard _, Leave _, Warn _ -> {}
            }
        }
        return story.size() > before;
    }

    private static BalanceSettings settings(Random random, Random ofCells) {
        return new BalanceSettings(
                true,
                (100L + random.nextInt(2000)) << 20,
                0.05 + random.nextDouble(),
                0.1 + 0.8 * random.nextDouble(),
                1 + random.nextInt(8),
                1 + random.nextInt(3),
                ModelTable.TICK,
                ModelTable.TICK.multipliedBy(1 + random.nextInt(6)),
                ModelTable.TICK.multipliedBy(1 + random.nextInt(4)),
                Duration.ofSeconds(60),
                0.05 + 2 * ofCells.nextDouble(),
                (1L + ofCells.nextInt(5000)) << 20,
                2 + random.nextInt(15),
                Duration.ofDays(7));
    }

    private static Partitioning partitioning(Random random) {
        long min = 1 + (random.nextInt(3) == 0 ? random.nextInt(10) : 0);
        long max = random.nextInt(3) == 0 ? min + random.nextInt(20) : 0;
        return new Partitioning(
                random.nextInt(4) > 0,
                1 + random.nextInt(random.nextBoolean() ? 100 : 4000),
                random.nextInt(4) > 0,
                min,
                max);
    }
}
