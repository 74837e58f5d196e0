package io.cleave.yt.tree;

import io.cleave.base.Bytes;
import io.cleave.yt.error.YtCodes;
import io.cleave.yt.error.YtException;

import java.io.ByteArrayOutputStream;
import java.util.Locale;

/// The tokens of a path: `/`, `@`, `&`, `*`, and literals with escapes (`\/`, `\x2f`). A bracket
/// begins a range, which only rich paths have.
///
/// Threads: one at a time.
final class YPathTokens {
    enum Kind {
        SLASH,
        AT,
        AMPERSAND,
        ASTERISK,
        LITERAL,
        RANGE,
        END
    }

    private final Bytes path;
    private Kind kind = Kind.END;
    private Kind previous = Kind.END;
    private Bytes literal = Bytes.EMPTY;
    private int from;
    private int to;

    /// The first token is the current one.
    YPathTokens(Bytes path) {
        this.path = path;
        read();
    }

    Kind kind() {
        return kind;
    }

    boolean isAt(Kind wanted) {
        return kind == wanted;
    }

    /// The value of a literal, without escapes.
    Bytes literal() {
        return literal;
    }

    /// The token as it stands in the path.
    String token() {
        return Bytes.copyOf(path.array(), from, to).utf8();
    }

    /// The position at which the token begins.
    int offset() {
        return from;
    }

    void advance() {
        previous = kind;
        from = to;
        read();
    }

    boolean skip(Kind wanted) {
        boolean found = kind == wanted;
        if (found) {
            advance();
        }
        return found;
    }

    /// Steps over a token that must be there.
    void expect(Kind wanted) {
        if (kind != wanted) {
            throw kind == Kind.END
                    ? new YtException(
                            YtCodes.GENERIC,
                            "Expected \"%s\" in YPath but found end-of-string%s"
                                    .formatted(
                                            name(wanted),
                                            previous == Kind.SLASH
                                                    ? "; please note that YPath cannot normally end"
                                                            + " with \"/\""
                                                    : ""))
                    : new YtException(
                            YtCodes.GENERIC,
                            "Expected \"%s\" in YPath but found \"%s\" token \"%s\""
                                    .formatted(name(wanted), name(kind), token()));
        }
        if (kind != Kind.END) {
            advance();
        }
    }

    YtException unexpected() {
        if (kind != Kind.END) {
            return new YtException(
                    YtCodes.GENERIC,
                    "Unexpected \"%s\" token \"%s\" in YPath".formatted(name(kind), token()));
        }
        return new YtException(
                YtCodes.GENERIC,
                previous == Kind.SLASH
                        ? "Unexpected end-of-string in YPath; please note that YPath cannot"
                                + " normally end with \"/\""
                        : "Unexpected end-of-string in YPath");
    }

    private static String name(Kind kind) {
        return kind == Kind.END ? "end_of_stream" : kind.name().toLowerCase(Locale.ROOT);
    }

    private void read() {
        literal = Bytes.EMPTY;
        to = from;
        if (from == path.length()) {
            kind = Kind.END;
            return;
        }
        kind =
                switch (byteAt(from)) {
                    case '/' -> Kind.SLASH;
                    case '@' -> Kind.AT;
                    case '&' -> Kind.AMPERSAND;
                    case '*' -> Kind.ASTERISK;
                    case '[', '{' -> Kind.RANGE;
                    default -> Kind.LITERAL;
                };
        switch (kind) {
            case LITERAL -> readLiteral();
            case RANGE -> to = path.length();
            default -> to = from + 1;
        }
    }

    private void readLiteral() {
        var out = new ByteArrayOutputStream();
        while (to < path.length() && (byteAt(to) == '\\' || !isSpecial(byteAt(to)))) {
            int c = byteAt(to++);
            out.write(c == '\\' ? escaped() : c);
        }
        literal = Bytes.wrap(out.toByteArray());
    }

    private int escaped() {
        if (to == path.length()) {
            throw new YtException(
                    YtCodes.GENERIC,
                    "Unexpected end-of-string in YPath while parsing escape sequence");
        }
        int c = byteAt(to++);
        if (isSpecial(c)) {
            return c;
        }
        if (c != 'x') {
            throw malformed(to);
        }
        if (to + 2 > path.length()) {
            throw malformed(path.length());
        }
        int high = Character.digit(byteAt(to), 16);
        int low = Character.digit(byteAt(to + 1), 16);
        if (high < 0 || low < 0) {
            throw malformed(to + 2);
        }
        to += 2;
        return high << 4 | low;
    }

    private YtException malformed(int end) {
        int begin = end;
        while (byteAt(begin - 1) != '\\') {
            begin--;
        }
        return new YtException(
                YtCodes.GENERIC,
                "Malformed escape sequence \"%s\" in YPath"
                        .formatted(Bytes.copyOf(path.array(), begin - 1, end).utf8()));
    }

    /// Whether the byte is escaped in a literal.
    static boolean isSpecial(int c) {
        return c == '\\' || c == '/' || c == '@' || c == '*' || c == '&' || c == '[' || c == '{';
    }

    private int byteAt(int index) {
        return path.at(index) & 0xFF;
    }
}
