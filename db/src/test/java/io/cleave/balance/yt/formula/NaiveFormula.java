package io.cleave.balance.yt.formula;

import java.math.BigInteger;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;

/// The language of formulas a second time, written from its description: it reads and computes at
/// once, one recursive call for each level of precedence. It says whether a text is refused, but
/// not why.
final class NaiveFormula {
    static final String REFUSED = "refused";
    static final String FAILS = "fails";

    private static final List<List<String>> LEVELS =
            List.of(
                    List.of("in"),
                    List.of(","),
                    List.of("||"),
                    List.of("&&"),
                    List.of("|"),
                    List.of("^"),
                    List.of("&"),
                    List.of("==", "!="),
                    List.of("<", ">", "<=", ">="),
                    List.of("+", "-"),
                    List.of("*", "/", "%"));

    private static final Pattern LETTERS = Pattern.compile("[A-Za-z]*");
    private static final Pattern NUMBER = Pattern.compile("-?[0-9]+");
    private static final Pattern SIGN = Pattern.compile("[|][|]|&&|==|!=|<=|>=|[-|^&<>+*/%,]");
    private static final Pattern SPACE = Pattern.compile("[ \t\n\u000b\f\r]*");
    private static final Pattern NAME = Pattern.compile("[A-Za-z_][A-Za-z0-9_]*");

    private final String text;
    private final Map<String, Long> variables;
    private int at;
    private boolean fails;

    private NaiveFormula(String text, int hours, int minutes) {
        this.text = text;
        variables = Map.of("hours", (long) hours, "minutes", (long) minutes);
    }

    private static final class RefusedException extends RuntimeException {}

    /// The value, or one of the constants.
    static String evaluate(String text, int hours, int minutes) {
        var formula = new NaiveFormula(text, hours, minutes);
        try {
            formula.skipSpace();
            if (formula.at == text.length()) {
                return FAILS;
            }
            long value = number(formula.value(0));
            formula.skipSpace();
            check(formula.at == text.length());
            return formula.fails ? FAILS : Long.toString(value);
        } catch (RefusedException _) {
            return REFUSED;
        }
    }

    private List<Long> value(int level) {
        if (level == LEVELS.size()) {
            return operand();
        }
        List<Long> left = value(level + 1);
        while (true) {
            int from = at;
            String operator = operator();
            if (!LEVELS.get(level).contains(operator)) {
                at = from;
                return left;
            }
            left = apply(operator, left, value(level + 1));
        }
    }

    private List<Long> apply(String operator, List<Long> left, List<Long> right) {
        if (operator.equals(",")) {
            var items = new ArrayList<>(left);
            items.add(number(right));
            return items;
        }
        if (operator.equals("in")) {
            return truth(right.contains(number(left)));
        }
        long a = number(left);
        long b = number(right);
        if (operator.equals("/") || operator.equals("%")) {
            if (b == 0 || (a == Long.MIN_VALUE && b == -1)) {
                fails = true;
                return List.of(0L);
            }
            return List.of(operator.equals("/") ? a / b : a % b);
        }
        return switch (operator) {
            case "||" -> truth(a != 0 | b != 0);
            case "&&" -> truth(a != 0 & b != 0);
            case "|" -> List.of(a | b);
            case "^" -> List.of(a ^ b);
            case "&" -> List.of(a & b);
            case "==" -> truth(a == b);
            case "!=" -> truth(a != b);
            case "<" -> truth(a < b);
            case ">" -> truth(a > b);
            case "<=" -> truth(a <= b);
            case ">=" -> truth(a >= b);
            case "+" -> List.of(a + b);
            case "-" -> List.of(a - b);
            case "*" -> List.of(a * b);
            default -> throw new AssertionError(operator);
        };
    }

    private List<Long> operand() {
        skipSpace();
        check(at < text.length());
        char c = text.charAt(at);
        if (c == '!') {
            at++;
            check(!text.startsWith("=", at));
            return truth(number(operand()) == 0);
        }
        if (c == '(') {
            at++;
            List<Long> inner = value(0);
            skipSpace();
            check(text.startsWith(")", at));
            at++;
            return inner;
        }
        if (c == '%') {
            at++;
            String word = match(LETTERS);
            check(word.equals("true") || word.equals("false"));
            return truth(word.equals("true"));
        }
        String number = match(NUMBER);
        if (!number.isEmpty()) {
            var exact = new BigInteger(number);
            check(exact.bitLength() < 64);
            return List.of(exact.longValue());
        }
        Long variable = variables.get(match(NAME));
        check(variable != null);
        return List.of(variable);
    }

    private String operator() {
        skipSpace();
        String word = match(NAME);
        return word.isEmpty() ? match(SIGN) : word;
    }

    private String match(Pattern pattern) {
        var matcher = pattern.matcher(text).region(at, text.length());
        if (!matcher.lookingAt()) {
            return "";
        }
        at = matcher.end();
        return matcher.group();
    }

    private void skipSpace() {
        match(SPACE);
    }

    private static List<Long> truth(boolean value) {
        return List.of(value ? 1L : 0L);
    }

    private static long number(List<Long> value) {
        check(value.size() == 1);
        return value.getFirst();
    }

    private static void check(boolean isRight) {
        if (!isRight) {
            throw new RefusedException();
        }
    }
}
