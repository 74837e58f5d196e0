package io.cleave.yt.format;

import io.cleave.base.ByteWriter;
import io.cleave.base.Bytes;
import io.cleave.value.YsonNode;
import io.cleave.value.YsonReader;

import org.jspecify.annotations.Nullable;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.Map;

/// Reads JSON with YTsaurus' conventions; [JsonFormat] describes them. Input that is not
/// well-formed causes a [BrokenInputException].
///
/// Threads: one at a time.
final class YtJsonReader {
    private static final int NODE_BYTES = 48;
    private static final int MEMBER_BYTES = 296;
    private static final Bytes VALUE = Bytes.utf8("$value");
    private static final Bytes ATTRIBUTES = Bytes.utf8("$attributes");
    private static final Bytes TYPE = Bytes.utf8("$type");

    private final JsonFormat format;
    private byte[] data;
    private int at;
    private int to;
    private long origin;
    private long heapBytes;
    private final CallMemory memory;
    private final ByteWriter text = new ByteWriter(64);

    YtJsonReader(JsonFormat format, byte[] data, int to, CallMemory memory) {
        this.format = format;
        this.data = data;
        this.to = to;
        this.memory = memory;
    }

    /// Reads the value in a body. The memory of the value stays taken.
    static YsonNode read(JsonFormat format, Bytes body, CallMemory memory) {
        var reader = new YtJsonReader(format, body.array(), body.length(), memory);
        if (reader.atEnd()) {
            throw reader.premature();
        }
        YsonNode value = reader.next();
        if (!reader.atEnd()) {
            throw reader.error("Unexpected text after the value");
        }
        return value;
    }

    void reset(byte[] data, int from, int to, long origin) {
        this.data = data;
        this.at = from;
        this.to = to;
        this.origin = origin;
    }

    int at() {
        return at;
    }

    /// Skips white space. Returns whether nothing else is left.
    boolean atEnd() {
        while (at < to && isSpace(data[at])) {
            at++;
        }
        return at == to;
    }

    /// Reads a value. Gives back the memory of the previous value.
    YsonNode next() {
        memory.give(heapBytes);
        heapBytes = 0;
        return value(0);
    }

    private YsonNode value(int depth) {
        if (depth > YsonReader.MAX_DEPTH) {
            throw error("Depth limit exceeded: limit " + YsonReader.MAX_DEPTH);
        }
        charge(NODE_BYTES);
        if (atEnd()) {
            throw premature();
        }
        byte first = data[at];
        return switch (first) {
            case '{' -> object(depth);
            case '[' -> array(depth);
            case '"' -> new YsonNode.Text(string());
            case 't' -> word("true", YsonNode.bool(true));
            case 'f' -> word("false", YsonNode.bool(false));
            case 'n' -> word("null", YsonNode.entity());
            default -> {
                if (first == '-' || isDigit(first)) {
                    yield number();
                }
                throw error("Unexpected " + show(first));
            }
        };
    }

    private YsonNode word(String word, YsonNode meaning) {
        for (int index = 0; index < word.length(); index++) {
            if (at == to) {
                throw premature();
            }
            if (data[at] != word.charAt(index)) {
                throw error("Unexpected " + show(data[at]));
            }
            at++;
        }
        return meaning;
    }

    private YsonNode array(int depth) {
        at++;
        var items = new ArrayList<YsonNode>();
        if (closes(']')) {
            return new YsonNode.Items(items);
        }
        while (true) {
            items.add(value(depth + 1));
            if (closes(']')) {
                return new YsonNode.Items(items);
            }
            expect(',');
        }
    }

    private YsonNode object(int depth) {
        at++;
        var members = new LinkedHashMap<Bytes, YsonNode>();
        if (closes('}')) {
            return YsonNode.Members.EMPTY;
        }
        while (true) {
            if (atEnd()) {
                throw premature();
            }
            if (data[at] != '"') {
                throw error("Unexpected %s, expected a name".formatted(show(data[at])));
            }
            Bytes name = string();
            charge(MEMBER_BYTES);
            expect(':');
            members.put(name, value(depth + 1));
            if (closes('}')) {
                return format.plain() ? new YsonNode.Members(members) : meaning(members);
            }
            expect(',');
        }
    }

    private boolean closes(char closing) {
        if (atEnd()) {
            throw premature();
        }
        if (data[at] == closing) {
            at++;
            return true;
        }
        return false;
    }

    private void expect(char symbol) {
        if (atEnd()) {
            throw premature();
        }
        if (data[at] != symbol) {
            throw error("Unexpected %s, expected \"%s\"".formatted(show(data[at]), symbol));
        }
        at++;
    }

    /// The value that an object stands for, if names with `$` have a meaning.
    private YsonNode meaning(Map<Bytes, YsonNode> members) {
        YsonNode value = members.get(VALUE);
        YsonNode attributes = members.get(ATTRIBUTES);
        if (value == null) {
            if (attributes != null) {
                throw error("Found key \"$attributes\" without key \"$value\"");
            }
            return unescaped(members);
        }
        YsonNode typed = typed(value, members.get(TYPE));
        if (attributes == null) {
            return typed;
        }
        if (!(attributes instanceof YsonNode.Members map)) {
            throw error("Value of \"$attributes\" must be a map");
        }
        return typed.withAttributes(map);
    }

    /// Takes one `$` from names that begin with `$$`.
    private YsonNode unescaped(Map<Bytes, YsonNode> members) {
        boolean special =
                members.keySet().stream().anyMatch(name -> !name.isEmpty() && name.at(0) == '$');
        if (!special || format.attributes() == JsonFormat.Attributes.NEVER) {
            return new YsonNode.Members(new LinkedHashMap<>(members));
        }
        var renamed = new LinkedHashMap<Bytes, YsonNode>();
        members.forEach(
                (name, value) -> {
                    if (name.isEmpty() || name.at(0) != '$') {
                        renamed.put(name, value);
                    } else if (name.length() >= 2 && name.at(1) == '$') {
                        renamed.put(Bytes.copyOf(name.array(), 1, name.length()), value);
                    } else {
                        throw error(
                                "Key \"%s\" starts with single \"$\"; use \"$%s\" to encode this key"
                                        .formatted(name.utf8(), name.utf8()));
                    }
                });
        return new YsonNode.Members(renamed);
    }

    private YsonNode typed(YsonNode value, @Nullable YsonNode type) {
        if (type == null) {
            return value;
        }
        String name = type.string().orElseThrow(() -> error("Value of \"$type\" must be a string"));
        YsonNode bare = value.bare();
        YsonNode converted =
                switch (name) {
                    case "string" -> bare instanceof YsonNode.Text ? bare : null;
                    case "int64" -> int64(bare);
                    case "uint64" -> uint64(bare);
                    case "double" -> real(bare);
                    case "boolean" -> bool(bare);
                    default -> throw error("Unexpected \"$type\" value \"%s\"".formatted(name));
                };
        if (converted == null) {
            throw error("Type mismatch: a value is not of its \"$type\" \"%s\"".formatted(name));
        }
        return converted;
    }

    private static @Nullable YsonNode int64(YsonNode value) {
        try {
            return switch (value) {
                case YsonNode.Int64 number -> number;
                case YsonNode.Text(Bytes digits) -> YsonNode.of(Long.parseLong(digits.utf8()));
                default -> null;
            };
        } catch (NumberFormatException _) {
            return null;
        }
    }

    private static @Nullable YsonNode uint64(YsonNode value) {
        try {
            return switch (value) {
                case YsonNode.Uint64 number -> number;
                case YsonNode.Int64(long number) when number >= 0 -> YsonNode.uint(number);
                case YsonNode.Text(Bytes digits) ->
                        YsonNode.uint(Long.parseUnsignedLong(digits.utf8()));
                default -> null;
            };
        } catch (NumberFormatException _) {
            return null;
        }
    }

    private static @Nullable YsonNode real(YsonNode value) {
        try {
            return switch (value) {
                case YsonNode.Real number -> number;
                case YsonNode.Int64(long number) -> YsonNode.real((double) number);
                case YsonNode.Text(Bytes digits) ->
                        switch (digits.utf8()) {
                            case "nan" -> YsonNode.real(Double.NaN);
                            case "inf", "+inf" -> YsonNode.real(Double.POSITIVE_INFINITY);
                            case "-inf" -> YsonNode.real(Double.NEGATIVE_INFINITY);
                            default -> YsonNode.real(Double.parseDouble(digits.utf8()));
                        };
                default -> null;
            };
        } catch (NumberFormatException _) {
            return null;
        }
    }

    private static @Nullable YsonNode bool(YsonNode value) {
        return switch (value) {
            case YsonNode.Bool flag -> flag;
            case YsonNode.Text(Bytes word) when word.utf8().equals("true") -> YsonNode.bool(true);
            case YsonNode.Text(Bytes word) when word.utf8().equals("false") -> YsonNode.bool(false);
            default -> null;
        };
    }

    private YsonNode number() {
        int from = at;
        if (data[at] == '-') {
            at++;
        }
        int digits = skipDigits();
        if (digits > 1 && data[at - digits] == '0') {
            at -= digits - 1;
            throw error("A number must not begin with 0");
        }
        boolean whole = true;
        if (at < to && data[at] == '.') {
            whole = false;
            at++;
            skipDigits();
        }
        if (at < to && (data[at] == 'e' || data[at] == 'E')) {
            whole = false;
            at++;
            if (at < to && (data[at] == '+' || data[at] == '-')) {
                at++;
            }
            skipDigits();
        }
        String literal = new String(data, from, at - from, StandardCharsets.ISO_8859_1);
        return whole ? integer(literal) : YsonNode.real(Double.parseDouble(literal));
    }

    /// Skips at least one digit.
    private int skipDigits() {
        int from = at;
        while (at < to && isDigit(data[at])) {
            at++;
        }
        if (at == from) {
            throw at == to ? premature() : error("Unexpected " + show(data[at]));
        }
        return at - from;
    }

    private YsonNode integer(String literal) {
        try {
            return literal.length() < 19 || literal.startsWith("-")
                    ? YsonNode.of(Long.parseLong(literal))
                    : unsigned(Long.parseUnsignedLong(literal));
        } catch (NumberFormatException _) {
            throw error("Integer overflow: " + shortened(literal));
        }
    }

    /// An integer beyond the range of int64, as a uint64.
    private static YsonNode unsigned(long value) {
        return value >= 0 ? YsonNode.of(value) : YsonNode.uint(value);
    }

    private static String shortened(String literal) {
        return literal.length() <= 40 ? literal : literal.substring(0, 40) + "…";
    }

    private Bytes string() {
        at++;
        text.clear();
        while (true) {
            if (at == to) {
                throw premature();
            }
            int c = data[at++] & 0xFF;
            if (c == '"') {
                charge(text.length());
                return Bytes.copyOf(text.array(), 0, text.length());
            }
            if (c == '\\') {
                escape();
            } else if (c < ' ') {
                at--;
                throw error("Unexpected %s in a string".formatted(show((byte) c)));
            } else if (c < 0x80) {
                text.putByte(c);
            } else {
                at--;
                put(utf8Character());
            }
        }
    }

    private void escape() {
        if (at == to) {
            throw premature();
        }
        byte c = data[at++];
        switch (c) {
            case '"', '\\', '/' -> text.putByte(c);
            case 'b' -> text.putByte('\b');
            case 'f' -> text.putByte('\f');
            case 'n' -> text.putByte('\n');
            case 'r' -> text.putByte('\r');
            case 't' -> text.putByte('\t');
            case 'u' -> put(escapedCharacter());
            default -> {
                at--;
                throw error("Unexpected %s after a backslash".formatted(show(c)));
            }
        }
    }

    private int escapedCharacter() {
        int unit = hexUnit();
        if (Character.isHighSurrogate((char) unit)) {
            if (to - at < 2) {
                throw premature();
            }
            if (data[at] == '\\' && data[at + 1] == 'u') {
                at += 2;
                int low = hexUnit();
                if (Character.isLowSurrogate((char) low)) {
                    return Character.toCodePoint((char) unit, (char) low);
                }
            }
            throw error("Half of a surrogate pair");
        }
        if (Character.isLowSurrogate((char) unit)) {
            throw error("Half of a surrogate pair");
        }
        return unit;
    }

    private int hexUnit() {
        if (to - at < 4) {
            throw premature();
        }
        int unit = 0;
        for (int count = 0; count < 4; count++) {
            int digit = Character.digit(data[at], 16);
            if (digit < 0) {
                throw error("Unexpected " + show(data[at]));
            }
            unit = unit << 4 | digit;
            at++;
        }
        return unit;
    }

    /// Reads one character of several bytes, which must be well-formed UTF-8.
    private int utf8Character() {
        int first = data[at] & 0xFF;
        int length = first >= 0xF0 ? 4 : first >= 0xE0 ? 3 : 2;
        if (first < 0xC2 || first > 0xF4) {
            throw error("Invalid bytes in UTF8 string");
        }
        if (to - at < length) {
            throw premature();
        }
        int codePoint = first & (0xFF >> (length + 1));
        for (int index = 1; index < length; index++) {
            int next = data[at + index] & 0xFF;
            if ((next & 0xC0) != 0x80) {
                throw error("Invalid bytes in UTF8 string");
            }
            codePoint = codePoint << 6 | (next & 0x3F);
        }
        boolean overlong =
                (length == 3 && codePoint < 0x800) || (length == 4 && codePoint < 0x10000);
        boolean surrogate = codePoint >= 0xD800 && codePoint <= 0xDFFF;
        if (overlong || surrogate || codePoint > Character.MAX_CODE_POINT) {
            throw error("Invalid bytes in UTF8 string");
        }
        at += length;
        return codePoint;
    }

    /// Appends a character: as one byte, or in UTF-8.
    private void put(int codePoint) {
        if (format.encodeUtf8()) {
            if (codePoint > 0xFF) {
                throw error(
                        "Unicode symbols with codes greater than 255 are not supported; consider"
                                + " using \"encode_utf8=false\" in format options");
            }
            text.putByte(codePoint);
        } else if (codePoint < 0x80) {
            text.putByte(codePoint);
        } else {
            byte[] utf8 = Character.toString(codePoint).getBytes(StandardCharsets.UTF_8);
            text.put(utf8, 0, utf8.length);
        }
    }

    private void charge(long bytes) {
        memory.take(bytes);
        heapBytes += bytes;
        if (heapBytes > DataFormat.MAX_TREE_BYTES) {
            throw error("Memory limit exceeded while parsing JSON");
        }
    }

    private BrokenInputException premature() {
        return new BrokenInputException("JSON", "Premature end of stream", origin + to, true);
    }

    private BrokenInputException error(String reason) {
        // With more bytes, the number could be a different one.
        return new BrokenInputException("JSON", reason, origin + at, at == to);
    }

    private static String show(byte c) {
        return c > ' ' && c < 0x7F ? "\"" + (char) c + "\"" : "byte 0x%02X".formatted(c & 0xFF);
    }

    private static boolean isSpace(byte c) {
        return c == ' ' || c == '\t' || c == '\n' || c == '\r';
    }

    private static boolean isDigit(byte c) {
        return c >= '0' && c <= '9';
    }
}
