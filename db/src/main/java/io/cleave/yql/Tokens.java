package io.cleave.yql;

import io.cleave.base.Issue.Position;
import io.cleave.base.StatusException;

import org.antlr.v4.runtime.CharStreams;
import org.antlr.v4.runtime.CommonToken;
import org.antlr.v4.runtime.Token;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/// The tokens of a text. A token that is broken is reported here.
final class Tokens {
    private static final Map<String, Integer> OPENINGS =
            Map.of(
                    "OPTIONAL",
                    YqlLexer.OPTIONAL_OF,
                    "LIST",
                    YqlLexer.LIST_OF,
                    "TUPLE",
                    YqlLexer.TUPLE_OF,
                    "STRUCT",
                    YqlLexer.STRUCT_OF,
                    "DICT",
                    YqlLexer.DICT_OF,
                    "SET",
                    YqlLexer.SET_OF,
                    "VARIANT",
                    YqlLexer.VARIANT_OF,
                    "TAGGED",
                    YqlLexer.TAGGED_OF,
                    "ENUM",
                    YqlLexer.ENUM_OF);

    private Tokens() {}

    static List<Token> of(String text) {
        var lexer = new YqlLexer(CharStreams.fromString(text));
        lexer.removeErrorListeners();
        List<Token> tokens = new ArrayList<>(text.length() / 4 + 1);
        int openTypes = 0;
        Token token;
        do {
            token = lexer.nextToken();
            reviseLast(tokens, token);
            switch (token.getType()) {
                case YqlLexer.OPTIONAL_OF,
                        YqlLexer.LIST_OF,
                        YqlLexer.TUPLE_OF,
                        YqlLexer.STRUCT_OF,
                        YqlLexer.DICT_OF,
                        YqlLexer.SET_OF,
                        YqlLexer.VARIANT_OF,
                        YqlLexer.ENUM_OF,
                        YqlLexer.TAGGED_OF -> {
                    if (isBehindDot(tokens, token)) {
                        addComparison(tokens, token);
                    } else {
                        openTypes++;
                        tokens.add(token);
                    }
                }
                case YqlLexer.LESS -> {
                    if (opensType(tokens, openTypes)) {
                        openTypes++;
                    } else {
                        tokens.add(token);
                    }
                }
                case YqlLexer.GREATER -> {
                    openTypes = Math.max(0, openTypes - 1);
                    tokens.add(token);
                }
                case YqlLexer.SHIFT_RIGHT -> {
                    if (openTypes == 0) {
                        tokens.add(token);
                    } else {
                        openTypes = Math.max(0, openTypes - 2);
                        tokens.add(half(token, 0));
                        tokens.add(half(token, 1));
                    }
                }
                case YqlLexer.SEMICOLON -> {
                    openTypes = 0;
                    tokens.add(token);
                }
                case YqlLexer.OPEN_STRING,
                        YqlLexer.OPEN_NAME,
                        YqlLexer.OPEN_COMMENT,
                        YqlLexer.BAD_NUMBER,
                        YqlLexer.BAD_CHARACTER,
                        YqlLexer.OTHER_OF ->
                        throw broken(token);
                default -> tokens.add(token);
            }
        } while (token.getType() != Token.EOF);
        return tokens;
    }

    /// Corrects the last token, now that the next one is known. `??` without a following operand
    /// makes a type optional twice, and `ASSUME ORDER BY` is `ORDER BY`.
    private static void reviseLast(List<Token> tokens, Token next) {
        if (tokens.isEmpty()) {
            return;
        }
        Token last = tokens.getLast();
        switch (next.getType()) {
            case YqlLexer.RIGHT_PAREN, YqlLexer.COMMA, YqlLexer.SEMICOLON, YqlLexer.QUESTION -> {
                if (last.getType() == YqlLexer.COALESCE) {
                    ((CommonToken) last).setType(YqlLexer.QUESTIONS);
                }
            }
            case YqlLexer.ORDER -> {
                if (last.getType() == YqlLexer.NAME && last.getText().equalsIgnoreCase("ASSUME")) {
                    tokens.removeLast();
                }
            }
            default -> {}
        }
    }

    /// Whether the lexer has taken a member for the beginning of a type, as in `t.list<5`.
    private static boolean isBehindDot(List<Token> tokens, Token token) {
        return !tokens.isEmpty()
                && tokens.getLast().getType() == YqlLexer.DOT
                && tokens.getLast().getStopIndex() + 1 == token.getStartIndex();
    }

    private static void addComparison(List<Token> tokens, Token token) {
        var name = new CommonToken(token);
        name.setType(YqlLexer.NAME);
        name.setStopIndex(token.getStopIndex() - 1);
        var less = new CommonToken(token);
        less.setType(YqlLexer.LESS);
        less.setStartIndex(token.getStopIndex());
        less.setCharPositionInLine(
                token.getCharPositionInLine() + token.getStopIndex() - token.getStartIndex());
        tokens.add(name);
        tokens.add(less);
    }

    /// Whether a `<` makes the word before it the beginning of a type, as in `AS List < Int32 >`.
    /// This holds only where nothing but a type is possible; elsewhere, `<` compares.
    private static boolean opensType(List<Token> tokens, int openTypes) {
        if (tokens.size() < 2) {
            return false;
        }
        boolean expected = openTypes > 0 || tokens.get(tokens.size() - 2).getType() == YqlLexer.AS;
        Integer opening = OPENINGS.get(tokens.getLast().getText().toUpperCase(Locale.ROOT));
        if (!expected || opening == null) {
            return false;
        }
        ((CommonToken) tokens.getLast()).setType(opening);
        return true;
    }

    /// One bracket of a `>>` that closes two types.
    private static Token half(Token token, int index) {
        var bracket = new CommonToken(token);
        bracket.setType(YqlLexer.GREATER);
        bracket.setStartIndex(token.getStartIndex() + index);
        bracket.setStopIndex(token.getStartIndex() + index);
        bracket.setCharPositionInLine(token.getCharPositionInLine() + index);
        return bracket;
    }

    private static StatusException broken(Token token) {
        Position at = Places.at(token);
        String text = token.getText();
        return switch (token.getType()) {
            case YqlLexer.OPEN_STRING ->
                    Places.error(at, "The string that begins here does not end");
            case YqlLexer.OPEN_NAME ->
                    Places.error(at, "The quoted name that begins here does not end");
            case YqlLexer.OPEN_COMMENT ->
                    Places.error(at, "The comment that begins here does not end");
            case YqlLexer.BAD_NUMBER -> Places.error(at, "Invalid number: " + text);
            case YqlLexer.OTHER_OF ->
                    Places.unsupported(at, "Type " + text.substring(0, text.length() - 1));
            default -> Places.error(at, "Unexpected character: " + text);
        };
    }
}
