package io.cleave.yql;

import io.cleave.base.Issue.Position;
import io.cleave.base.StatusException;

import org.antlr.v4.runtime.CharStreams;
import org.antlr.v4.runtime.CommonToken;
import org.antlr.v4.runtime.Token;

import java.util.ArrayList;
import java.util.List;

/// The tokens of a text, all of them whole; a broken one is an error here.
final class Tokens {
    private Tokens() {}

    static List<Token> of(String text) {
        var lexer = new YqlLexer(CharStreams.fromString(text));
        lexer.removeErrorListeners();
        List<Token> tokens = new ArrayList<>(text.length() / 4 + 1);
        int openTypes = 0;
        Token token;
        do {
            token = lexer.nextToken();
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
                    openTypes++;
                    tokens.add(token);
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
