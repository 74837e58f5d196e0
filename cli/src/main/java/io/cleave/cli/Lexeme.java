package io.cleave.cli;

/// A piece of a YQL text, as far as it must be told apart to find where statements end: a semicolon
/// inside a string, a quoted name or a comment ends nothing.
record Lexeme(Kind kind, int to) {
    enum Kind {
        /// White space or a comment.
        BLANK,
        SEMICOLON,
        /// A word, or a name that begins with `$`.
        WORD,
        /// A string or a quoted name; one that is not closed goes to the end of the text.
        QUOTED,
        SIGN
    }

    static Lexeme at(String text, int from) {
        char c = text.charAt(from);
        if (Character.isWhitespace(c)) {
            return new Lexeme(Kind.BLANK, from + 1);
        }
        if (text.startsWith("--", from)) {
            return new Lexeme(Kind.BLANK, after(text, "\n", from));
        }
        if (text.startsWith("/*", from)) {
            return new Lexeme(Kind.BLANK, after(text, "*/", from + 2));
        }
        if (text.startsWith("@@", from)) {
            return new Lexeme(Kind.QUOTED, afterMultiline(text, from + 2));
        }
        if (c == '\'' || c == '"' || c == '`') {
            return new Lexeme(Kind.QUOTED, afterQuoted(text, from));
        }
        if (c == ';') {
            return new Lexeme(Kind.SEMICOLON, from + 1);
        }
        if (c == '$' || isWordPart(c)) {
            return new Lexeme(Kind.WORD, afterWord(text, from + 1));
        }
        return new Lexeme(Kind.SIGN, from + 1);
    }

    static boolean isWordPart(char c) {
        return c == '_' || Character.isLetterOrDigit(c);
    }

    private static int after(String text, String end, int from) {
        int found = text.indexOf(end, from);
        return found < 0 ? text.length() : found + end.length();
    }

    /// Four `@` stand for two inside the string.
    private static int afterMultiline(String text, int from) {
        int found = text.indexOf("@@", from);
        while (found >= 0 && text.startsWith("@@@@", found)) {
            found = text.indexOf("@@", found + 4);
        }
        return found < 0 ? text.length() : found + 2;
    }

    private static int afterQuoted(String text, int from) {
        char quote = text.charAt(from);
        int offset = from + 1;
        while (offset < text.length() && text.charAt(offset) != quote) {
            offset += text.charAt(offset) == '\\' ? 2 : 1;
        }
        return Math.min(offset + 1, text.length());
    }

    private static int afterWord(String text, int from) {
        int offset = from;
        while (offset < text.length() && isWordPart(text.charAt(offset))) {
            offset++;
        }
        return offset;
    }
}
