package io.cleave.value;

import java.math.BigInteger;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.function.IntConsumer;

/// Parses one JSON document by recursive descent.
final class JsonReader {
    /// A double represents every integer with this many digits.
    private static final int MAX_DOUBLE_DIGITS = 15;

    /// The maximum number of digits of a Uint64.
    private static final int MAX_DIGITS = 20;

    /// The callback is called after this many characters of a string.
    private static final int LETTERS = 1024;

    private static final int LETTERS_A_STEP = 16;

    private static final BigInteger MIN_INTEGER = BigInteger.valueOf(Long.MIN_VALUE);
    private static final BigInteger MAX_INTEGER =
            BigInteger.TWO.pow(Long.SIZE).subtract(BigInteger.ONE);

    private final String text;

    /// Whether 64-bit integers keep their exact value.
    private final boolean whole;

    /// Called for each value, and within long strings.
    private final IntConsumer pass;

    private int at;

    JsonReader(String text, boolean whole, IntConsumer pass) {
        this.text = text;
        this.whole = whole;
        this.pass = pass;
    }

    /// Parses the whole text as one document.
    Json document() throws Malformed {
        Json json = value(0);
        skipSpace();
        require(at == text.length());
        return json;
    }

    private Json value(int depth) throws Malformed {
        require(depth <= Json.MAX_DEPTH);
        pass.accept(1);
        skipSpace();
        return switch (peek()) {
            case '{' -> members(depth);
            case '[' -> array(depth);
            case '"' -> new Json.Text(string());
            case 'n' -> constant(Json.Constant.NULL);
            case 't' -> constant(Json.Constant.TRUE);
            case 'f' -> constant(Json.Constant.FALSE);
            default -> number();
        };
    }

    private Json members(int depth) throws Malformed {
        var members = new LinkedHashMap<String, Json>();
        at++;
        skipSpace();
        if (peek() == '}') {
            at++;
            return new Json.Members(members);
        }
        do {
            skipSpace();
            require(peek() == '"');
            String name = string();
            skipSpace();
            require(next() == ':');
            members.put(name, value(depth + 1));
            skipSpace();
        } while (separatorOr('}'));
        return new Json.Members(members);
    }

    private Json array(int depth) throws Malformed {
        var items = new ArrayList<Json>();
        at++;
        skipSpace();
        if (peek() == ']') {
            at++;
            return new Json.Array(items);
        }
        do {
            items.add(value(depth + 1));
            skipSpace();
        } while (separatorOr(']'));
        return new Json.Array(items);
    }

    /// True after a comma, false after the closing bracket.
    private boolean separatorOr(char closing) throws Malformed {
        char c = next();
        require(c == ',' || c == closing);
        return c == ',';
    }

    private Json constant(Json.Constant constant) throws Malformed {
        require(text.startsWith(constant.text(), at));
        at += constant.text().length();
        return constant;
    }

    private Json number() throws Malformed {
        int from = at;
        if (peek() == '-') {
            at++;
        }
        int integral = at;
        digits();
        require(text.charAt(integral) != '0' || at == integral + 1);
        int integralTo = at;
        if (at < text.length() && text.charAt(at) == '.') {
            at++;
            digits();
        }
        if (at < text.length() && (text.charAt(at) | 0x20) == 'e') {
            at++;
            if (peek() == '-' || peek() == '+') {
                at++;
            }
            digits();
        }
        String written = text.substring(from, at);
        int digits = at - integral;
        if (whole && integralTo == at && digits > MAX_DOUBLE_DIGITS && digits <= MAX_DIGITS) {
            var integer = new BigInteger(written);
            if (integer.compareTo(MIN_INTEGER) >= 0 && integer.compareTo(MAX_INTEGER) <= 0) {
                return Json.Numeral.of(integer);
            }
        }
        double value = Double.parseDouble(written);
        require(!Double.isInfinite(value));
        return new Json.Numeral(value);
    }

    private void digits() throws Malformed {
        int from = at;
        at = NumberSyntax.skipDigits(text, at);
        require(at > from);
    }

    private String string() throws Malformed {
        var out = new StringBuilder();
        boolean escaped = false;
        at++;
        while (true) {
            char c = next();
            require(c >= ' ');
            if (c == '"') {
                require(!escaped || isWellFormed(out));
                return out.toString();
            }
            escaped |= c == '\\';
            out.append(c == '\\' ? escape() : c);
            if (out.length() % LETTERS == 0) {
                pass.accept(LETTERS / LETTERS_A_STEP);
            }
        }
    }

    /// Whether there is no unpaired surrogate, which an escape may produce.
    private static boolean isWellFormed(CharSequence text) {
        return text.codePoints().noneMatch(c -> c >= 0xD800 && c <= 0xDFFF);
    }

    private char escape() throws Malformed {
        char c = next();
        return switch (c) {
            case '"', '\\', '/' -> c;
            case 'b' -> '\b';
            case 'f' -> '\f';
            case 'n' -> '\n';
            case 'r' -> '\r';
            case 't' -> '\t';
            case 'u' -> unicode();
            default -> throw new Malformed();
        };
    }

    private char unicode() throws Malformed {
        int code = 0;
        for (int digit = 0; digit < 4; digit++) {
            int value = Character.digit(next(), 16);
            require(value >= 0);
            code = code << 4 | value;
        }
        return (char) code;
    }

    private void skipSpace() {
        while (at < text.length() && " \t\r\n".indexOf(text.charAt(at)) >= 0) {
            at++;
        }
    }

    private char peek() throws Malformed {
        require(at < text.length());
        return text.charAt(at);
    }

    private char next() throws Malformed {
        char c = peek();
        at++;
        return c;
    }

    private static void require(boolean holds) throws Malformed {
        if (!holds) {
            throw new Malformed();
        }
    }

    /// The text is not JSON. The exception never leaves this package, so it has no message and no
    /// stack trace.
    static final class Malformed extends Exception {
        private Malformed() {
            super("", null, false, false);
        }
    }
}
