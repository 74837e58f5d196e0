package io.cleave.yql;

import org.antlr.v4.runtime.Token;
import org.antlr.v4.runtime.WritableToken;

import java.util.List;

/// Turns keywords into names where the neighbouring tokens suffice to decide: every word after a
/// dot, and VALUES where an operand is expected and no row follows. Deciding it here saves the
/// parser from looking ahead.
final class Keywords {
    private Keywords() {}

    static void becomeNames(List<Token> tokens) {
        for (int index = 1; index < tokens.size(); index++) {
            Token token = tokens.get(index);
            Token before = tokens.get(index - 1);
            boolean isName =
                    before.getType() == YqlLexer.DOT
                            ? isKeyword(token)
                            : token.getType() == YqlLexer.VALUES
                                    && !endsOperand(before)
                                    && !beginsRow(tokens.get(index + 1));
            if (isName) {
                ((WritableToken) token).setType(YqlLexer.NAME);
            }
        }
    }

    /// Keywords have the lowest token types, because the lexer declares them first.
    private static boolean isKeyword(Token token) {
        return token.getType() > 0 && token.getType() <= YqlLexer.CHANGEFEED;
    }

    private static boolean endsOperand(Token token) {
        return switch (token.getType()) {
            case YqlLexer.RIGHT_PAREN, YqlLexer.NAME, YqlLexer.QUOTED_NAME, YqlLexer.NAMED_VALUE ->
                    true;
            default -> false;
        };
    }

    /// Also true for a token that was probably meant to begin a row.
    private static boolean beginsRow(Token token) {
        return switch (token.getType()) {
            case YqlLexer.LEFT_PAREN,
                    YqlLexer.INTEGER,
                    YqlLexer.REAL,
                    YqlLexer.STRING,
                    YqlLexer.NAMED_VALUE ->
                    true;
            default -> false;
        };
    }
}
