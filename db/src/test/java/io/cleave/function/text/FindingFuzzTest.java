package io.cleave.function.text;

import static org.assertj.core.api.Assertions.assertThat;

import io.cleave.typed.CompileTimeRun;

import org.junit.jupiter.api.Test;

import java.nio.charset.StandardCharsets;
import java.util.Random;
import java.util.SplittableRandom;

/// Parts of long texts are found where Java finds them.
class FindingFuzzTest {
    private static final int ROUNDS = Integer.getInteger("rounds", 2_000);

    @Test
    void partsAreFoundWhereTheyAre() {
        long seed = Long.getLong("seed", new Random().nextLong());
        var random = new SplittableRandom(seed);
        for (int round = 0; round < ROUNDS; round++) {
            String text = text(random);
            String part = part(text, random);
            int from = random.nextInt(text.length() + 1);
            byte[] bytes = text.getBytes(StandardCharsets.ISO_8859_1);
            byte[] partBytes = part.getBytes(StandardCharsets.ISO_8859_1);
            var run = new CompileTimeRun();
            String what = "-Dseed=%d: round %d".formatted(seed, round);
            int first = text.indexOf(part, from);
            assertThat(Finding.index(text, part, from, run)).as(what).isEqualTo(first);
            assertThat(Finding.index(bytes, partBytes, from, run)).as(what).isEqualTo(first);
            int last = text.lastIndexOf(part, from);
            assertThat(Finding.lastIndex(text, part, from, run)).as(what).isEqualTo(last);
            assertThat(Finding.lastIndex(bytes, partBytes, from, run)).as(what).isEqualTo(last);
        }
    }

    /// Mostly of one letter, so that much of a part is found in many places.
    private static String text(SplittableRandom random) {
        var text = new StringBuilder("a".repeat(random.nextInt(1, 4_000)));
        for (int change = random.nextInt(20); change > 0; change--) {
            text.setCharAt(random.nextInt(text.length()), 'b');
        }
        return text.toString();
    }

    private static String part(String text, SplittableRandom random) {
        int from = random.nextInt(text.length());
        int to = random.nextInt(from, text.length()) + 1;
        return text.substring(from, to) + (random.nextInt(4) == 0 ? "b" : "");
    }
}
