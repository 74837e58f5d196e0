package io.cleave.balance.yt.formula;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// Cuts a formula into tokens. Whether a `-` is the sign of a number, and a `%` begins `%true` or
/// `%false`, depends on the token before it: both are operators after an operand.
final class FormulaLexer {
    private final String text;
    private final List<FormulaToken> tokens = new ArrayList<>();
    private int at;
    private boolean afterOperand;

    FormulaLexer(String text) {
        this.text = text;
    }

    List<FormulaToken> tokens() {
        while (at < text.length()) {
            if (isSpace(text.charAt(at))) {
                at++;
            } else {
                FormulaToken token = next();
                afterOperand =
                        !(token instanceof FormulaToken.Sign || token instanceof FormulaToken.Open);
                tokens.add(token);
            }
        }
        return tokens;
    }

    private FormulaToken next() {
        int from = at;
        char c = text.charAt(at);
        if (isDigit(c) || (c == '-' && !afterOperand)) {
            return new FormulaToken.Literal(from, number());
        }
        if (c == '%' && !afterOperand) {
            return new FormulaToken.Literal(from, FormulaOperator.truth(literal()));
        }
        if (c == '(') {
            at++;
            return new FormulaToken.Open(from);
        }
        if (c == ')') {
            at++;
            return new FormulaToken.Close(from);
        }
        if (isLetter(c) || c == '_') {
            String name = name();
            return name.equals(FormulaOperator.IN.symbol)
                    ? new FormulaToken.Sign(from, FormulaOperator.IN)
                    : new FormulaToken.Name(from, name);
        }
        FormulaOperator operator =
                longestOperator()
                        .orElseThrow(() -> error(c == '=' ? at + 1 : at, "Unexpected character"));
        at += operator.symbol.length();
        return new FormulaToken.Sign(from, operator);
    }

    private long number() {
        int from = at;
        if (text.charAt(at) == '-') {
            at++;
        }
        if (at == text.length() || !isDigit(text.charAt(at))) {
            throw error(at, "Expected digit");
        }
        while (at < text.length() && isDigit(text.charAt(at))) {
            at++;
        }
        String digits = text.substring(from, at);
        try {
            return Long.parseLong(digits);
        } catch (NumberFormatException _) {
            throw error(
                    from, "Number %s is outside of the range of 64-bit integers".formatted(digits));
        }
    }

    private boolean literal() {
        int from = ++at;
        while (at < text.length() && isLetter(text.charAt(at))) {
            at++;
        }
        String word = text.substring(from, at);
        return switch (word) {
            case "true" -> true;
            case "false" -> false;
            default -> throw error(at, "Invalid literal \"%s\"".formatted(word));
        };
    }

    private String name() {
        int from = at;
        while (at < text.length() && isNamePart(text.charAt(at))) {
            at++;
        }
        return text.substring(from, at);
    }

    private Optional<FormulaOperator> longestOperator() {
        FormulaOperator longest = null;
        for (FormulaOperator operator : FormulaOperator.values()) {
            boolean isLonger =
                    longest == null || operator.symbol.length() > longest.symbol.length();
            if (isLonger && text.startsWith(operator.symbol, at)) {
                longest = operator;
            }
        }
        return Optional.ofNullable(longest);
    }

    private RuntimeException error(int position, String problem) {
        return FormulaErrors.at(text, position, problem);
    }

    private static boolean isSpace(char c) {
        return c == ' ' || (c >= '\t' && c <= '\r');
    }

    private static boolean isDigit(char c) {
        return c >= '0' && c <= '9';
    }

    private static boolean isLetter(char c) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
    }

    private static boolean isNamePart(char c) {
        return isLetter(c) || isDigit(c) || c == '_';
    }
}
