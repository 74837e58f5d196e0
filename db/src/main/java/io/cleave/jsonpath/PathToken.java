package io.cleave.jsonpath;

/// A token of a path and its position. The `text` of a string is its value, without quotes.
record PathToken(Kind kind, String text, int at) {
    enum Kind {
        NAME,
        STRING,
        NUMBER,
        /// `$name`.
        VARIABLE,
        SYMBOL,
        END
    }

    boolean is(String symbol) {
        return kind == Kind.SYMBOL && text.equals(symbol);
    }

    boolean isWord(String word) {
        return kind == Kind.NAME && text.equals(word);
    }
}
