package io.cleave.balance.yt.formula;

import static org.assertj.core.api.Assertions.assertThat;

import io.cleave.yt.error.YtException;

import org.junit.jupiter.api.Test;

import java.util.List;
import java.util.Random;
import java.util.SplittableRandom;
import java.util.regex.Pattern;

/// Random formulas, and random texts that are nearly formulas, mean the same as to [NaiveFormula].
class FormulaFuzzTest {
    private static final int ROUNDS = Integer.getInteger("rounds", 20_000);

    /// Every error that a text can have.
    private static final Pattern DOCUMENTED =
            Pattern.compile(
                    "(?s)Error while parsing arithmetic formula:\n"
                        + ".*\\^\n"
                        + "(Expected digit|Unexpected character|Unexpected variable|Unexpected"
                        + " token|Unfinished formula|Unmatched '[()]'|Invalid literal"
                        + " \"[A-Za-z]*\"|Type mismatch: expected \"number\", got \"set\"|Number"
                        + " -?[0-9]+ is outside of the range of 64-bit integers)|Invalid variable"
                        + " \"[A-Za-z0-9_]+\" in time formula \".*\"");

    private static final List<String> OPERATORS =
            List.of(
                    "||", "&&", "|", "^", "&", "==", "!=", "<", ">", "<=", ">=", "+", "-", "*", "/",
                    "%", " in ");

    private static final List<String> NUMBERS =
            List.of("0", "1", "2", "-1", "7", "60", "-9223372036854775808", "%true", "%false");

    private static final String PIECES = "()!%-+*/&|^<>=,; 0123aeinst_h\t";

    @Test
    void formulasMeanTheSameToBothEvaluators() {
        long seed = Long.getLong("seed", new Random().nextLong());
        var random = new SplittableRandom(seed);
        int values = 0;
        for (int round = 0; round < ROUNDS; round++) {
            String text = expression(random, 1 + random.nextInt(5));
            values += compare(text, random, seed).equals(NaiveFormula.REFUSED) ? 0 : 1;
        }
        assertThat(values).as("-Dseed=%d: formulas with a meaning", seed).isGreaterThan(ROUNDS / 4);
    }

    @Test
    void brokenTextsGiveNothingButTheDocumentedErrors() {
        long seed = Long.getLong("seed", new Random().nextLong());
        var random = new SplittableRandom(seed);
        int refused = 0;
        for (int round = 0; refused < 10_000; round++) {
            assertThat(round).as("-Dseed=%d: texts", seed).isLessThan(100_000);
            String text = broken(expression(random, 1 + random.nextInt(4)), random);
            refused += compare(text, random, seed).equals(NaiveFormula.REFUSED) ? 1 : 0;
        }
    }

    private static String compare(String text, SplittableRandom random, long seed) {
        int hours = random.nextInt(24);
        int minutes = random.nextInt(60);
        String expected = NaiveFormula.evaluate(text, hours, minutes);
        String got;
        try {
            Formula formula = Formula.parse(text);
            assertThat(formula.text()).isEqualTo(text);
            got =
                    switch (formula.evaluate(hours, minutes)) {
                        case FormulaResult.Value(long number) -> Long.toString(number);
                        case FormulaResult.Failure _ -> NaiveFormula.FAILS;
                    };
        } catch (YtException e) {
            assertThat(e.getMessage()).as("-Dseed=%d: %s", seed, text).matches(DOCUMENTED);
            got = NaiveFormula.REFUSED;
        }
        assertThat(got)
                .as("-Dseed=%d: %s at %d:%d", seed, text, hours, minutes)
                .isEqualTo(expected);
        return got;
    }

    private static String expression(SplittableRandom random, int depth) {
        if (depth == 0) {
            return operand(random);
        }
        return switch (random.nextInt(10)) {
            case 0 -> "!" + expression(random, depth - 1);
            case 1, 2 -> "(" + expression(random, depth - 1) + ")";
            case 3 ->
                    "(%s in %s)".formatted(expression(random, depth - 1), list(random, depth - 1));
            default ->
                    expression(random, depth - 1)
                            + " ".repeat(random.nextInt(2))
                            + OPERATORS.get(random.nextInt(OPERATORS.size()))
                            + " ".repeat(random.nextInt(2))
                            + expression(random, random.nextInt(depth));
        };
    }

    private static String list(SplittableRandom random, int depth) {
        var items = new StringBuilder(expression(random, depth));
        for (int count = random.nextInt(4); count > 0; count--) {
            items.append(',').append(expression(random, 0));
        }
        return items.toString();
    }

    private static String operand(SplittableRandom random) {
        return switch (random.nextInt(3)) {
            case 0 -> "hours";
            case 1 -> "minutes";
            default -> NUMBERS.get(random.nextInt(NUMBERS.size()));
        };
    }

    /// The text with one to three characters removed, replaced, added or doubled.
    private static String broken(String text, SplittableRandom random) {
        var broken = new StringBuilder(text);
        for (int count = 1 + random.nextInt(3); count > 0 && !broken.isEmpty(); count--) {
            int index = random.nextInt(broken.length());
            char piece = PIECES.charAt(random.nextInt(PIECES.length()));
            switch (random.nextInt(4)) {
                case 0 -> broken.deleteCharAt(index);
                case 1 -> broken.setCharAt(index, piece);
                case 2 -> broken.insert(index, piece);
                default -> broken.insert(index, broken.charAt(index));
            }
        }
        return broken.toString();
    }
}
