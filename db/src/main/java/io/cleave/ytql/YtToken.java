package io.cleave.ytql;

import io.cleave.base.Bytes;

import org.jspecify.annotations.Nullable;

/// A token of a query. `from` and `to` are bytes of the text.
///
/// @param text the name of an identifier or placeholder, the digits of a number, or the words of a
///   keyword in lower case
/// @param bytes the value of a string literal, otherwise null
record YtToken(Kind kind, String text, @Nullable Bytes bytes, int from, int to) {
    /// Kinds of tokens, with the names that error messages use.
    enum Kind {
        END("end of stream"),
        FAILURE("lexer failure"),
        KEYWORD("keyword"),
        IDENTIFIER("identifier"),
        INT64("int64 literal"),
        UINT64("uint64 literal"),
        DOUBLE("double or dot int token"),
        STRING("string literal"),
        PLACEHOLDER("placeholder literal"),
        SYMBOL("symbol");

        private final String shown;

        Kind(String shown) {
            this.shown = shown;
        }
    }

    boolean isKeyword(String words) {
        return kind == Kind.KEYWORD && text.equals(words);
    }

    boolean isSymbol(String symbol) {
        return kind == Kind.SYMBOL && text.equals(symbol);
    }

    /// The token as an error message names it.
    String shown() {
        return switch (kind) {
            case KEYWORD -> YtKeywords.shown(text);
            case SYMBOL -> "`" + text + "`";
            default -> kind.shown;
        };
    }
}
