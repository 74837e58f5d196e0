package io.cleave.exec;

import static org.assertj.core.api.Assertions.assertThat;

import io.cleave.exec.spill.SpillFolder;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.SplittableRandom;

/// Groups, DISTINCT, set operations, windows and sorts that go to disk give the rows of those with
/// enough memory, however little they have and whatever the keys are.
class RowsSpillFuzzTest {
    private static final int ROUNDS = Integer.getInteger("rounds", 15);

    private static final List<String> KEYS =
            List.of("x", "y", "h", "x, y", "y, h", "x % 3 AS x, h", "k");

    /// What they keep of a group is little, whatever its rows are.
    private static final List<String> AGGREGATES =
            List.of(
                    "COUNT(*)",
                    "SUM(k)",
                    "MIN(y)",
                    "MAX(h)",
                    "COUNT(DISTINCT k)",
                    "COUNT(DISTINCT h)",
                    "SUM(DISTINCT x)",
                    "MIN(DISTINCT y)");

    private static final List<String> WINDOWS =
            List.of(
                    "ROW_NUMBER() OVER (PARTITION BY %s ORDER BY k)",
                    "SUM(k) OVER (PARTITION BY %s)",
                    "LAG(k, 3) OVER (PARTITION BY %s ORDER BY k DESC)",
                    "RANK() OVER (ORDER BY %s)",
                    "LAST_VALUE(k) OVER (PARTITION BY %s ORDER BY k ROWS BETWEEN 5 PRECEDING AND 9"
                            + " FOLLOWING)",
                    "COUNT(*) OVER (ORDER BY %s, k)");

    @TempDir private Path folder;

    @Test
    void rowsOnDiskAreThoseInMemory() {
        long seed = Long.getLong("seed", new Random().nextLong());
        var random = new SplittableRandom(seed);
        for (int round = 0; round < ROUNDS; round++) {
            SpillFolder spill = SpillFolder.open(folder, 64 << 20);
            var database = new FakeDatabase();
            var plenty = new QueryBench<>(database);
            var options = RunOptions.DEFAULT.withMemory(1L << random.nextInt(18));
            var little = new QueryBench<>(database, options, spill);
            fill(plenty, "a", random);
            fill(plenty, "b", random);
            for (int asked = 0; asked < 12; asked++) {
                String query = query(random);
                String expected = plenty.answer(List.of(query));
                assertThat(expected).as(query).doesNotContain("ERROR");
                assertThat(sorted(little.answer(List.of(query))))
                        .as("-Dseed=%d, %d bytes: %s", seed, options.memoryBytes(), query)
                        .isEqualTo(sorted(expected));
                assertThat(spill.usedBytes()).as("-Dseed=%d: %s", seed, query).isZero();
            }
        }
    }

    /// Halves of `h` are equal, as no hash should mind.
    private static void fill(
            QueryBench<FakeDatabase> bench, String table, SplittableRandom random) {
        bench.answer(
                List.of(
                        "CREATE TABLE %s (k Uint64, x Int32, y Utf8, h Int64, PRIMARY KEY (k))"
                                .formatted(table)));
        int rowCount = random.nextInt(700);
        int keys = List.of(1, 2, 20, 1_000).get(random.nextInt(4));
        int nullPercent = List.of(0, 0, 10, 100).get(random.nextInt(4));
        var rows = new StringBuilder("UPSERT INTO " + table + " (k, x, y, h) VALUES ");
        for (int row = 0; row < rowCount; row++) {
            int key = random.nextInt(keys);
            boolean isNull = random.nextInt(100) < nullPercent;
            rows.append(row == 0 ? "" : ", ")
                    .append(
                            isNull
                                    ? "(%d, NULL, NULL, NULL)".formatted(row)
                                    : "(%d, %d, 'y %d'u, %d)"
                                            .formatted(row, key, key / 2, key * 4_294_967_297L));
        }
        if (rowCount > 0) {
            assertThat(bench.answer(List.of(rows.toString()))).isEqualTo("ok");
        }
    }

    private static String query(SplittableRandom random) {
        String keys = one(KEYS, random);
        // Without a name for an expression, as in a list of columns.
        String plain = keys.replace("x % 3 AS x", "x");
        return switch (random.nextInt(6)) {
            case 0 ->
                    "SELECT %s, %s, %s FROM a GROUP BY %s"
                            .formatted(
                                    plain, one(AGGREGATES, random), one(AGGREGATES, random), keys);
            case 1 -> "SELECT %s, %s FROM a".formatted(one(AGGREGATES, random), "COUNT(y)");
            case 2 -> "SELECT DISTINCT %s FROM a".formatted(plain);
            case 3 ->
                    "SELECT %s FROM a %s SELECT %s FROM b"
                            .formatted(
                                    plain,
                                    one(
                                            List.of(
                                                    "UNION",
                                                    "UNION ALL",
                                                    "INTERSECT",
                                                    "INTERSECT ALL",
                                                    "EXCEPT",
                                                    "EXCEPT ALL"),
                                            random),
                                    plain);
            case 4 -> "SELECT k, %s AS w FROM a".formatted(one(WINDOWS, random).formatted(plain));
            default ->
                    "SELECT k, %s FROM a ORDER BY %s, k"
                            .formatted(plain.equals("k") ? "x" : plain, plain);
        };
    }

    private static String one(List<String> choices, SplittableRandom random) {
        return choices.get(random.nextInt(choices.size()));
    }

    private static List<String> sorted(String answer) {
        String[] lines = answer.split("\n");
        Arrays.sort(lines);
        return List.of(lines);
    }
}
