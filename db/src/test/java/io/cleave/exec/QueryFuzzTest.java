package io.cleave.exec;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.SplittableRandom;

/// Broken queries are refused, never a failure of ours: texts of the other tests with words left
/// out, doubled, exchanged or taken from another.
class QueryFuzzTest {
    private static final int ROUNDS = Integer.getInteger("rounds", 2_000);

    @Test
    void brokenQueriesAreRefused() throws IOException {
        long seed = Long.getLong("seed", new Random().nextLong());
        var random = new SplittableRandom(seed);
        List<String> texts = texts();
        var bench = QueryBench.fake();
        bench.answer(List.of("CREATE TABLE t (k Uint64, a Int32, b Utf8, PRIMARY KEY (k))"));
        bench.answer(List.of("CREATE TABLE u (k Uint64, key Int32, PRIMARY KEY (k, key))"));
        bench.answer(List.of("UPSERT INTO t (k, a, b) VALUES (1, 2, 'x'), (2, NULL, NULL)"));
        bench.answer(List.of("UPSERT INTO u (k, key) VALUES (1, 2), (2, NULL)"));
        for (int round = 0; round < ROUNDS; round++) {
            String text = mutated(texts, random);
            try {
                assertThat(bench.answer(List.of(text))).isNotNull();
            } catch (RuntimeException failure) {
                throw new AssertionError("-Dseed=" + seed + ": " + text, failure);
            }
        }
        bench.answer(List.of("CREATE TABLE last (k Uint64, PRIMARY KEY (k))"));
        assertThat(bench.answer(List.of("SELECT COUNT(*) FROM last"))).contains("0");
    }

    private static List<String> texts() throws IOException {
        List<String> texts = new ArrayList<>();
        try (var files = Files.list(Path.of("src/test/testdata/queries"))) {
            for (Path file : files.sorted().toList()) {
                for (String line : Files.readAllLines(file)) {
                    if (line.matches(
                            "(SELECT|UPSERT|INSERT|UPDATE|DELETE|CREATE|ALTER|PRAGMA|\\$|VALUES).*")) {
                        texts.add(line);
                    }
                }
            }
        }
        return texts;
    }

    private static String mutated(List<String> texts, SplittableRandom random) {
        List<String> words = words(texts, random);
        List<String> others = words(texts, random);
        int changes = random.nextInt(1, 4);
        for (int change = 0; change < changes && !words.isEmpty(); change++) {
            int at = random.nextInt(words.size());
            String other = others.get(random.nextInt(others.size()));
            switch (random.nextInt(4)) {
                case 0 -> words.remove(at);
                case 1 -> words.add(at, other);
                case 2 -> words.set(at, other);
                default -> words.add(at, words.get(random.nextInt(words.size())));
            }
        }
        return String.join(" ", words);
    }

    private static List<String> words(List<String> texts, SplittableRandom random) {
        String text = texts.get(random.nextInt(texts.size()));
        return new ArrayList<>(Arrays.asList(text.split("(?<=[(),=;])|(?=[(),=;])|\\s+")));
    }
}
