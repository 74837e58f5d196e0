package io.cleave.yql;

import io.cleave.base.Issue.Position;

import org.antlr.v4.runtime.CommonToken;
import org.antlr.v4.runtime.Token;

import java.util.ArrayList;
import java.util.List;

/// The tokens of a text that begins with `--!ansi_lexer`. In such a text, names may be in double
/// quotes, a doubled quote stands for a quote, a backslash is an ordinary character, and comments
/// nest.
///
/// This class finds these parts and replaces them by blanks. The usual lexer reads the rest. The
/// tokens that this class makes have the text that they would have without the hint, so that later
/// code does not have to know the difference.
final class AnsiTokens {
    private final int[] text;

    /// The text, with blanks for the parts that this class has read.
    private final int[] rest;

    private final List<Token> found = new ArrayList<>();
    private int at;
    private int line = 1;
    private int lineFrom;

    private AnsiTokens(String text) {
        this.text = text.codePoints().toArray();
        this.rest = this.text.clone();
    }

    static List<Token> of(String text) {
        var scan = new AnsiTokens(text);
        scan.run();
        return merged(scan.found, Tokens.of(new String(scan.rest, 0, scan.rest.length)));
    }

    private static List<Token> merged(List<Token> found, List<Token> others) {
        List<Token> all = new ArrayList<>(found.size() + others.size());
        int next = 0;
        for (Token other : others) {
            while (next < found.size()
                    && (other.getType() == Token.EOF
                            || found.get(next).getStartIndex() < other.getStartIndex())) {
                all.add(found.get(next++));
            }
            all.add(other);
        }
        return all;
    }

    private void run() {
        while (at < text.length) {
            if (starts("--")) {
                while (at < text.length && text[at] != '\n') {
                    at++;
                }
            } else if (starts("/*")) {
                comment();
            } else if (starts("@@")) {
                multiLine();
            } else {
                switch (text[at]) {
                    case '\'' -> quoted('\'', YqlLexer.STRING);
                    case '"' -> quoted('"', YqlLexer.QUOTED_NAME);
                    case '`' -> backquoted();
                    default -> step();
                }
            }
        }
    }

    private boolean starts(String sign) {
        return at + 1 < text.length && text[at] == sign.charAt(0) && text[at + 1] == sign.charAt(1);
    }

    private void step() {
        if (text[at++] == '\n') {
            line++;
            lineFrom = at;
        }
    }

    private void blank() {
        if (text[at] != '\n') {
            rest[at] = ' ';
        }
        step();
    }

    private Position place() {
        return new Position(line, at - lineFrom + 1);
    }

    private void comment() {
        Position begin = place();
        int depth = 0;
        do {
            if (at >= text.length) {
                throw Places.error(begin, "The comment that begins here does not end");
            }
            boolean opens = starts("/*");
            boolean closes = starts("*/");
            depth += opens ? 1 : closes ? -1 : 0;
            blank();
            if (opens || closes) {
                blank();
            }
        } while (depth > 0);
    }

    /// Skips a multi-line string, which the usual lexer reads. Its content must not be interpreted
    /// here.
    private void multiLine() {
        at += 2;
        while (at < text.length && !starts("@@")) {
            step();
        }
        while (at < text.length && text[at] == '@') {
            step();
        }
    }

    private void backquoted() {
        step();
        while (at < text.length && text[at] != '`') {
            if (text[at] == '\\' && at + 1 < text.length) {
                step();
            }
            step();
        }
        if (at < text.length) {
            step();
        }
    }

    private void quoted(int quote, int type) {
        Position begin = place();
        int from = at;
        int column = at - lineFrom;
        var body = new StringBuilder();
        blank();
        while (at < text.length && (text[at] != quote || isDoubled(quote))) {
            if (text[at] == quote) {
                blank();
            }
            body.appendCodePoint(text[at]);
            blank();
        }
        if (at >= text.length) {
            throw Places.error(
                    begin,
                    type == YqlLexer.STRING
                            ? "The string that begins here does not end"
                            : "The quoted name that begins here does not end");
        }
        blank();
        String written =
                type == YqlLexer.STRING
                        ? "'" + escaped(body).replace("'", "\\'") + "'" + suffix()
                        : "`" + escaped(body).replace("`", "``") + "`";
        var token = new CommonToken(type, written);
        token.setLine(begin.row());
        token.setCharPositionInLine(column);
        token.setStartIndex(from);
        token.setStopIndex(at - 1);
        found.add(token);
    }

    private boolean isDoubled(int quote) {
        return at + 1 < text.length && text[at + 1] == quote;
    }

    private static String escaped(StringBuilder body) {
        return body.toString().replace("\\", "\\\\");
    }

    /// The letter that gives the type of a string, unless it begins a longer word.
    private String suffix() {
        boolean one =
                at < text.length
                        && "uUyYjJsSpP".indexOf(text[at]) >= 0
                        && (at + 1 == text.length
                                || !(Character.isLetterOrDigit(text[at + 1])
                                        || text[at + 1] == '_'));
        if (!one) {
            return "";
        }
        String letter = Character.toString(text[at]);
        blank();
        return letter;
    }
}
