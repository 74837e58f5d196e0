package io.cleave.value;

import io.cleave.base.Bytes;

import java.io.ByteArrayOutputStream;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;

/// Parses one YSON value by recursive descent. The grammar is in [Yson].
final class YsonReader {
    private static final int MAX_DEPTH = 256;
    private static final int MAX_VARINT_BYTES = 10;

    private final Bytes data;
    private int at;

    YsonReader(Bytes data) {
        this.data = data;
    }

    YsonNode whole() throws Malformed {
        YsonNode node = value(0);
        skipSpace();
        require(at == data.length());
        return node;
    }

    private YsonNode value(int depth) throws Malformed {
        require(depth <= MAX_DEPTH);
        skipSpace();
        if (peek() == '<') {
            YsonNode.Members attributes = members('>', depth);
            skipSpace();
            return new YsonNode.Attributed(attributes, plain(depth));
        }
        return plain(depth);
    }

    private YsonNode plain(int depth) throws Malformed {
        int first = peek();
        return switch (first) {
            case '{' -> members('}', depth);
            case '[' -> list(depth);
            case '#' -> {
                at++;
                yield new YsonNode.Entity();
            }
            case '%' -> percent();
            case 0x02 -> {
                at++;
                long bits = varint();
                yield new YsonNode.Int64(bits >>> 1 ^ -(bits & 1));
            }
            case 0x03 -> {
                at++;
                yield new YsonNode.Real(
                        ByteBuffer.wrap(take(Double.BYTES).array())
                                .order(ByteOrder.LITTLE_ENDIAN)
                                .getDouble());
            }
            case 0x04, 0x05 -> {
                at++;
                yield new YsonNode.Bool(first == 0x05);
            }
            case 0x06 -> {
                at++;
                yield new YsonNode.Uint64(varint());
            }
            case '+', '-' -> number();
            default -> isDigit(first) ? number() : new YsonNode.Text(string());
        };
    }

    private YsonNode.Members members(char closing, int depth) throws Malformed {
        at++;
        skipSpace();
        var members = new LinkedHashMap<Bytes, YsonNode>();
        while (peek() != closing) {
            Bytes name = string();
            skipSpace();
            require(peek() == '=');
            at++;
            // If a name occurs several times, the first member counts.
            members.putIfAbsent(name, value(depth + 1));
            separatorOr(closing);
        }
        at++;
        return new YsonNode.Members(members);
    }

    private YsonNode list(int depth) throws Malformed {
        at++;
        skipSpace();
        List<YsonNode> items = new ArrayList<>();
        while (peek() != ']') {
            items.add(value(depth + 1));
            separatorOr(']');
        }
        at++;
        return new YsonNode.Items(items);
    }

    private void separatorOr(char closing) throws Malformed {
        skipSpace();
        if (peek() == ';') {
            at++;
            skipSpace();
        } else {
            require(peek() == closing);
        }
    }

    private YsonNode percent() throws Malformed {
        int from = at++;
        while (peek() == '+' || peek() == '-' || isWord(peek())) {
            at++;
        }
        return switch (Bytes.copyOf(data.array(), from, at).utf8()) {
            case "%true" -> new YsonNode.Bool(true);
            case "%false" -> new YsonNode.Bool(false);
            case "%nan" -> new YsonNode.Real(Double.NaN);
            case "%inf", "%+inf" -> new YsonNode.Real(Double.POSITIVE_INFINITY);
            case "%-inf" -> new YsonNode.Real(Double.NEGATIVE_INFINITY);
            default -> throw new Malformed();
        };
    }

    private YsonNode number() throws Malformed {
        int from = at;
        while (peek() >= 0 && "+-.eE0123456789".indexOf(peek()) >= 0) {
            at++;
        }
        String text = Bytes.copyOf(data.array(), from, at).utf8();
        boolean unsigned = peek() == 'u';
        if (unsigned) {
            at++;
        }
        if (text.chars().skip(1).allMatch(c -> c >= '0' && c <= '9')) {
            require(isDigit(text.charAt(0)) || text.length() > 1);
            var number = new BigInteger(text);
            require(unsigned ? number.signum() >= 0 : number.bitLength() < Long.SIZE);
            require(number.bitLength() <= Long.SIZE);
            return unsigned
                    ? new YsonNode.Uint64(number.longValue())
                    : new YsonNode.Int64(number.longValue());
        }
        require(!unsigned && NumberSyntax.isReal(text));
        return new YsonNode.Real(Double.parseDouble(text));
    }

    private Bytes string() throws Malformed {
        int first = peek();
        if (first == 0x01) {
            at++;
            long length = varint();
            // A string's length is a signed varint in zigzag.
            require(length >= 0 && (length & 1) == 0);
            return take(length >>> 1);
        }
        if (first == '"') {
            return quoted();
        }
        require(isWord(first) && !isDigit(first));
        int from = at;
        while (isWord(peek())) {
            at++;
        }
        return Bytes.copyOf(data.array(), from, at);
    }

    private Bytes quoted() throws Malformed {
        at++;
        var out = new ByteArrayOutputStream();
        while (peek() != '"') {
            int c = next();
            if (c != '\\') {
                out.write(c);
                continue;
            }
            int escaped = next();
            switch (escaped) {
                case 'n' -> out.write('\n');
                case 't' -> out.write('\t');
                case 'r' -> out.write('\r');
                case 'x' -> out.write(hex() << 4 | hex());
                default -> {
                    if (escaped >= '0' && escaped <= '7') {
                        int number = escaped - '0';
                        for (int digit = 0; digit < 2 && peek() >= '0' && peek() <= '7'; digit++) {
                            number = number << 3 | next() - '0';
                        }
                        out.write(number);
                    } else {
                        out.write(escaped);
                    }
                }
            }
        }
        at++;
        return Bytes.wrap(out.toByteArray());
    }

    private int hex() throws Malformed {
        int digit = Character.digit(next(), 16);
        require(digit >= 0);
        return digit;
    }

    private static boolean isDigit(int c) {
        return c >= '0' && c <= '9';
    }

    private static boolean isWord(int c) {
        return c >= 0 && c < 0x80 && (Character.isLetterOrDigit(c) || "_-.%".indexOf(c) >= 0);
    }

    private long varint() throws Malformed {
        long number = 0;
        for (int count = 0; count < MAX_VARINT_BYTES; count++) {
            int next = next();
            number |= ((long) (next & 0x7F)) << (7 * count);
            if (next < 0x80) {
                return number;
            }
        }
        throw new Malformed();
    }

    private Bytes take(long count) throws Malformed {
        require(count <= data.length() - at);
        int from = at;
        at += (int) count;
        return Bytes.copyOf(data.array(), from, at);
    }

    private void skipSpace() {
        while (peek() == ' ' || peek() == '\t' || peek() == '\r' || peek() == '\n') {
            at++;
        }
    }

    private int next() throws Malformed {
        int c = peek();
        require(c >= 0);
        at++;
        return c;
    }

    /// The next byte, or -1 at the end.
    private int peek() {
        return at < data.length() ? data.at(at) & 0xFF : -1;
    }

    private static void require(boolean holds) throws Malformed {
        if (!holds) {
            throw new Malformed();
        }
    }

    /// The bytes are not YSON. The exception never leaves this package, so it has no message and no
    /// stack trace.
    static final class Malformed extends Exception {
        private static final long serialVersionUID = 1L;

        private Malformed() {
            super("", null, false, false);
        }
    }
}
