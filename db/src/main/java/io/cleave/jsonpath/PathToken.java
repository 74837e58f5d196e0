package io.cleave.jsonpath;

/// A word of a path and where it begins. `text` of a string is what it says, without quotes.
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
