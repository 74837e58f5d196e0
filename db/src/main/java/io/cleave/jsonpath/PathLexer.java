package io.cleave.jsonpath;

import io.cleave.base.Surrogates;
import io.cleave.jsonpath.PathToken.Kind;

import java.util.ArrayList;
import java.util.List;

/// Splits a path into tokens.
final class PathLexer {
    private static final List<String> SYMBOLS =
            List.of(
                    "&&", "||", "==", "!=", "<>", "<=", ">=", "<", ">", "!", "+", "-", "*", "/",
                    "%", "(", ")", "[", "]", ",", ".", "?", "@", "$");

    private final String text;
    private int at;

    private PathLexer(String text) {
        this.text = text;
    }

    static List<PathToken> tokens(String text) throws JsonPathException {
        var lexer = new PathLexer(text);
        var tokens = new ArrayList<PathToken>();
        do {
            tokens.add(lexer.next());
        } while (tokens.getLast().kind() != Kind.END);
        return tokens;
    }

    private PathToken next() throws JsonPathException {
        while (at < text.length() && Character.isWhitespace(text.charAt(at))) {
            at++;
        }
        int from = at;
        if (at == text.length()) {
            return new PathToken(Kind.END, "", from);
        }
        char c = text.charAt(at);
        if (c == '"' || c == '\'') {
            return new PathToken(Kind.STRING, string(c), from);
        }
        if (c >= '0' && c <= '9') {
            return new PathToken(Kind.NUMBER, number(), from);
        }
        if (isNameStart(c)) {
            return new PathToken(Kind.NAME, name(), from);
        }
        if (c == '$' && at + 1 < text.length() && isNameStart(text.charAt(at + 1))) {
            at++;
            return new PathToken(Kind.VARIABLE, name(), from);
        }
        for (String symbol : SYMBOLS) {
            if (text.startsWith(symbol, at)) {
                at += symbol.length();
                return new PathToken(Kind.SYMBOL, symbol, from);
            }
        }
        throw new JsonPathException(
                "Unexpected '%s' at %d".formatted(Surrogates.letter(text, at), at + 1));
    }

    private static boolean isNameStart(char c) {
        return c == '_' || Character.isLetter(c);
    }

    private String name() {
        int from = at;
        while (at < text.length()
                && (text.charAt(at) == '_' || Character.isLetterOrDigit(text.charAt(at)))) {
            at++;
        }
        return text.substring(from, at);
    }

    private String number() {
        int from = at;
        digits();
        if (at + 1 < text.length() && text.charAt(at) == '.' && isDigit(text.charAt(at + 1))) {
            at++;
            digits();
        }
        if (at < text.length() && (text.charAt(at) | 0x20) == 'e') {
            int power = at + 1;
            if (power < text.length() && "+-".indexOf(text.charAt(power)) >= 0) {
                power++;
            }
            if (power < text.length() && isDigit(text.charAt(power))) {
                at = power;
                digits();
            }
        }
        return text.substring(from, at);
    }

    private void digits() {
        while (at < text.length() && isDigit(text.charAt(at))) {
            at++;
        }
    }

    private static boolean isDigit(char c) {
        return c >= '0' && c <= '9';
    }

    private String string(char quote) throws JsonPathException {
        int from = at++;
        var out = new StringBuilder();
        while (at < text.length() && text.charAt(at) != quote) {
            char c = text.charAt(at++);
            out.append(c == '\\' ? escape() : c);
        }
        if (at == text.length()) {
            throw new JsonPathException("The string at %d has no end".formatted(from + 1));
        }
        at++;
        return out.toString();
    }

    private char escape() throws JsonPathException {
        if (at == text.length()) {
            return '\\';
        }
        char c = text.charAt(at++);
        return switch (c) {
            case 'b' -> '\b';
            case 'f' -> '\f';
            case 'n' -> '\n';
            case 'r' -> '\r';
            case 't' -> '\t';
            case 'u' -> unicode();
            default -> c;
        };
    }

    private char unicode() throws JsonPathException {
        if (at + 4 <= text.length()) {
            String digits = text.substring(at, at + 4);
            if (digits.chars().allMatch(d -> Character.digit(d, 16) >= 0)) {
                at += 4;
                return (char) Integer.parseInt(digits, 16);
            }
        }
        throw new JsonPathException("\\u at %d wants four hex digits".formatted(at - 1));
    }
}
