package io.cleave.yql;

import org.antlr.v4.runtime.CharStreams;
import org.antlr.v4.runtime.Token;

/// Counts the tokens of a text without keeping them. The syntax tree of a text takes memory in
/// proportion to this number.
public final class TokenCount {
    private TokenCount() {}

    /// The number of tokens, or more.
    public static int of(String text) {
        // In the ANSI dialect, strings end elsewhere than the lexer of the other dialect assumes.
        return text.startsWith("--!") ? mostOf(text) : exact(text);
    }

    /// The greatest number of tokens that the text can have in any dialect: a word or number is one
    /// token, and every other character that is not a space may be another.
    public static int mostOf(String text) {
        int count = 0;
        boolean isInWord = false;
        for (int index = 0; index < text.length(); index++) {
            char next = text.charAt(index);
            boolean isWord = Character.isLetterOrDigit(next) || next == '_';
            if (isWord ? !isInWord : !Character.isWhitespace(next)) {
                count++;
            }
            isInWord = isWord;
        }
        return count;
    }

    private static int exact(String text) {
        var lexer = new YqlLexer(CharStreams.fromString(text));
        lexer.removeErrorListeners();
        int count = 0;
        while (lexer.nextToken().getType() != Token.EOF) {
            count++;
        }
        return count;
    }
}
