package io.cleave.cli;

/// A piece of a YQL text. Only the kinds that are needed to find the end of a statement are
/// distinguished: a semicolon in a string, a quoted name or a comment does not end a statement.
record Lexeme(Kind kind, int to) {
    enum Kind {
        /// White space or a comment.
        BLANK,
        SEMICOLON,
        /// A word, or a name that begins with `$`.
        WORD,
        /// A string or a quoted name; an unclosed one extends to the end of the text.
        QUOTED,
        SIGN
    }

    /// The end of the header, which consists of lines `--!setting` at the start of a text.
    static int headerTo(String text) {
        int to = 0;
        while (text.startsWith("--!", to)) {
            to = after(text, "\n", to);
        }
        return to;
    }

    static boolean isAnsi(String text) {
        return text.substring(0, headerTo(text)).contains("ansi_lexer");
    }

    /// The lexeme at `from`. In ANSI syntax comments may be nested, and a backslash does not
    /// escape.
    static Lexeme at(String text, int from, boolean ansi) {
        char c = text.charAt(from);
        if (Character.isWhitespace(c)) {
            return new Lexeme(Kind.BLANK, from + 1);
        }
        if (text.startsWith("--", from)) {
            return new Lexeme(Kind.BLANK, after(text, "\n", from));
        }
        if (text.startsWith("/*", from)) {
            return new Lexeme(Kind.BLANK, afterComment(text, from + 2, ansi));
        }
        if (text.startsWith("@@", from)) {
            return new Lexeme(Kind.QUOTED, afterMultiline(text, from + 2));
        }
        if (c == '\'' || c == '"' || c == '`') {
            return new Lexeme(Kind.QUOTED, afterQuoted(text, from, ansi));
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

    /// `@@@@` in the string stands for `@@`.
    private static int afterMultiline(String text, int from) {
        int found = text.indexOf("@@", from);
        while (found >= 0 && text.startsWith("@@@@", found)) {
            found = text.indexOf("@@", found + 4);
        }
        return found < 0 ? text.length() : found + 2;
    }

    private static int afterComment(String text, int from, boolean nested) {
        int end = after(text, "*/", from);
        int inner = text.indexOf("/*", from);
        while (nested && inner >= 0 && inner + 2 < end) {
            int innerTo = afterComment(text, inner + 2, true);
            end = after(text, "*/", innerTo);
            inner = text.indexOf("/*", innerTo);
        }
        return end;
    }

    private static int afterQuoted(String text, int from, boolean ansi) {
        char quote = text.charAt(from);
        boolean escapes = !ansi || quote == '`';
        int offset = from + 1;
        while (offset < text.length() && text.charAt(offset) != quote) {
            offset += escapes && text.charAt(offset) == '\\' ? 2 : 1;
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
