package io.cleave.base;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.re2j.Pattern;
import com.google.re2j.PatternSyntaxException;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import java.util.Random;
import java.util.SplittableRandom;

class RegexSizeTest {
    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "a+b*c?|d",
                "x{1000}",
                "x{2,}",
                "(x{10}){100}",
                "[]{1000}]{1000}",
                "[^]{1000}]{1000}",
                "[[:alpha:]{1000}]{1000}",
                "\\Q(x{1000}){1000}\\E",
                "\\({1000}x{1000}",
                "{x}{1000}",
                "\\pL\\p{Greek}\\x{10FFFF}[\\pL]",
                // Left to the engine.
                "x{99999999}",
                ")",
                "(",
                "[",
                "\\"
            })
    void takes(String pattern) {
        assertThat(RegexSize.complaint(pattern)).isEmpty();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = ' ',
            value = {
                "(x{100}){100} repetition",
                "(?:(?:(?:x{1000}){1000}){1000}) repetition",
                "((x{2,40}){30}y)* repetition",
                "\\pL{1000} large",
                "[\\pL\\pN]{500} large"
            })
    void refuses(String pattern, String why) {
        assertThat(RegexSize.complaint(pattern).orElseThrow()).contains(why);
    }

    @Test
    void refusesWhatIsLongOrDeep() {
        assertThat(RegexSize.complaint("x{1000}".repeat(100)).orElseThrow()).contains("large");
        assertThat(RegexSize.complaint("\\pL".repeat(1000)).orElseThrow()).contains("large");
        assertThat(RegexSize.complaint("(".repeat(2000) + ")".repeat(2000)).orElseThrow())
                .contains("deep");
    }

    /// What it counts is not far from what the engine makes of it.
    @Test
    void whatIsTakenIsNotLarge() {
        long seed = Long.getLong("seed", new Random().nextLong());
        var random = new SplittableRandom(seed);
        for (int round = 0; round < 3_000; round++) {
            var pattern = new StringBuilder();
            append(pattern, random, 5);
            if (RegexSize.complaint(pattern.toString()).isPresent()) {
                continue;
            }
            try {
                assertThat(Pattern.compile(pattern.toString()).programSize())
                        .as("-Dseed=%d: %s", seed, pattern)
                        .isLessThan(200_000);
            } catch (PatternSyntaxException _) {
                // Only what it takes is of interest.
            }
        }
    }

    private static void append(StringBuilder out, SplittableRandom random, int depth) {
        int parts = 1 + random.nextInt(3);
        for (int part = 0; part < parts; part++) {
            switch (random.nextInt(depth > 0 ? 7 : 4)) {
                case 0 -> out.append("\\d");
                case 1 -> out.append("[^]a-z]");
                case 2 -> out.append('x');
                case 3 -> out.append("\\{");
                default -> {
                    out.append(random.nextBoolean() ? "(?:" : "(");
                    append(out, random, depth - 1);
                    out.append(')');
                }
            }
            int count = random.nextInt(1, 1 << random.nextInt(1, 10));
            switch (random.nextInt(6)) {
                case 0 -> out.append("{%d}".formatted(count));
                case 1 -> out.append("{%d,}".formatted(count));
                case 2 -> out.append("{%d,%d}".formatted(count / 2, count));
                case 3 -> out.append('*');
                case 4 -> out.append('|');
                default -> {}
            }
        }
    }
}
