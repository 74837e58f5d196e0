package io.cleave.exec;

import static org.assertj.core.api.Assertions.assertThat;

import io.cleave.exec.spill.SpillFolder;
import io.cleave.plan.PlanText;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.SplittableRandom;

/// A join whose right side goes to disk gives the rows of one with enough memory, whatever the keys
/// are: few or many, NULL, one for most rows or for all.
class JoinSpillFuzzTest {
    private static final int ROUNDS = Integer.getInteger("rounds", 20);

    private static final List<String> KINDS =
            List.of(
                    "JOIN",
                    "LEFT JOIN",
                    "RIGHT JOIN",
                    "FULL JOIN",
                    "EXCLUSION JOIN",
                    "LEFT SEMI JOIN",
                    "LEFT ONLY JOIN",
                    "RIGHT SEMI JOIN",
                    "RIGHT ONLY JOIN",
                    "CROSS JOIN");

    /// All their rows are of a left row, and come in the order of the left, unless that has ANY.
    private static final Set<String> ORDERED =
            Set.of("JOIN", "LEFT JOIN", "LEFT SEMI JOIN", "LEFT ONLY JOIN", "CROSS JOIN");

    @TempDir private Path folder;

    @Test
    void joinsOnDiskGiveTheRowsOfJoinsInMemory() {
        long seed = Long.getLong("seed", new Random().nextLong());
        var random = new SplittableRandom(seed);
        for (int round = 0; round < ROUNDS; round++) {
            SpillFolder spill = SpillFolder.open(folder, 64 << 20);
            var database = new FakeDatabase();
            var plenty = new QueryBench<>(database);
            // The smallest does with the few rows that every operator may have.
            var options = RunOptions.DEFAULT.withMemory(1L << random.nextInt(18));
            var little = new QueryBench<>(database, options, spill);
            fill(plenty, "a", random.nextInt(200), random);
            fill(plenty, "b", random.nextInt(600), random);
            for (String kind : KINDS) {
                String query = query(kind, random);
                assertThat(new PlanText(database).tree(little.compile(query, Map.of())))
                        .contains("HashJoin");
                String expected = plenty.answer(List.of(query));
                String got = little.answer(List.of(query));
                if (!ORDERED.contains(kind) || query.contains("FROM ANY")) {
                    expected = sorted(expected);
                    got = sorted(got);
                }
                assertThat(got).as("-Dseed=%d: %s", seed, query).isEqualTo(expected);
                assertThat(spill.usedBytes()).as("-Dseed=%d: %s", seed, query).isZero();
            }
        }
    }

    private static void fill(
            QueryBench<FakeDatabase> bench, String table, int rowCount, SplittableRandom random) {
        bench.answer(
                List.of(
                        "CREATE TABLE %s (k Uint64, x Int32, y Utf8, PRIMARY KEY (k))"
                                .formatted(table)));
        int keys = List.of(1, 2, 20, 1_000).get(random.nextInt(4));
        int otherPercent = List.of(0, 0, 5, 50, 100).get(random.nextInt(5));
        int nullPercent = List.of(0, 0, 10, 100).get(random.nextInt(4));
        var rows = new StringBuilder("UPSERT INTO " + table + " (k, x, y) VALUES ");
        for (int row = 0; row < rowCount; row++) {
            int key = random.nextInt(100) < otherPercent ? 1 + random.nextInt(keys) : 0;
            boolean isNull = random.nextInt(100) < nullPercent;
            rows.append(row == 0 ? "" : ", ")
                    .append(
                            isNull
                                    ? "(%d, NULL, NULL)".formatted(row)
                                    : "(%d, %d, 'y %d'u)".formatted(row, key, key / 2));
        }
        if (rowCount > 0) {
            assertThat(bench.answer(List.of(rows.toString()))).isEqualTo("ok");
        }
    }

    private static String query(String kind, SplittableRandom random) {
        String columns =
                switch (kind) {
                    case "LEFT SEMI JOIN", "LEFT ONLY JOIN" -> "a.k, a.x";
                    case "RIGHT SEMI JOIN", "RIGHT ONLY JOIN" -> "b.k, b.y";
                    default -> "a.k, a.x, b.k, b.y";
                };
        if (kind.equals("CROSS JOIN")) {
            return "SELECT %s FROM a CROSS JOIN b".formatted(columns);
        }
        String keys =
                List.of("a.x = b.x", "a.y = b.y", "a.x = b.x AND a.y = b.y").get(random.nextInt(3));
        return "SELECT %s FROM %s a %s %s b ON %s"
                .formatted(columns, any(random), kind, any(random), keys);
    }

    private static String any(SplittableRandom random) {
        return random.nextInt(4) == 0 ? "ANY" : "";
    }

    private static String sorted(String answer) {
        String[] lines = answer.split("\n");
        Arrays.sort(lines);
        return String.join("\n", lines);
    }
}
