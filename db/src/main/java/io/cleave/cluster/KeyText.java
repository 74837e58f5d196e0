package io.cleave.cluster;

import io.cleave.base.Bytes;
import io.cleave.base.CorruptionException;
import io.cleave.base.Status;
import io.cleave.base.StatusException;
import io.cleave.schema.Column;
import io.cleave.schema.Table;
import io.cleave.value.KeyCodec;
import io.cleave.value.TextForm;
import io.cleave.value.Type;
import io.cleave.value.Type.Primitive;
import io.cleave.value.Value;
import io.cleave.value.ValueParser;

import org.jspecify.annotations.Nullable;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;

/// Keys in the notation for users: the values of all key columns, or of the first few, separated by
/// commas. A value is `NULL`, a text in quotes, or a number, date or the like without quotes:
/// `'abc',5`. In quotes, `\` escapes a quote or itself; `\n`, `\r` and `\t` are control characters,
/// and `\xHH` is a byte.
public final class KeyText {
    private static final char ESCAPE = '\\';

    private final Table table;
    private final String text;
    private int offset;

    private KeyText(Table table, String text) {
        this.table = table;
        this.text = text;
    }

    /// Throws BAD_REQUEST if the text is not a key of the table.
    public static Bytes parse(Table table, String text) {
        return new KeyText(table, text).parse();
    }

    /// The key in the notation that [#parse] reads; bytes that are not a valid key are printed in
    /// hex.
    public static String of(Table table, Bytes key) {
        List<Type> types = types(table);
        try {
            Value[] values = KeyCodec.decode(types, key);
            List<String> texts = new ArrayList<>();
            for (int index = 0; index < values.length; index++) {
                texts.add(print(types.get(index), values[index]));
            }
            return String.join(",", texts);
        } catch (CorruptionException _) {
            return "0x" + HexFormat.of().formatHex(key.array());
        }
    }

    private static List<Type> types(Table table) {
        return table.key().stream().map(Column::type).toList();
    }

    private static boolean isText(Type type) {
        return type == Primitive.STRING || type == Primitive.UTF8;
    }

    private static String print(Type type, Value value) {
        return switch (value) {
            case Value.Text(String content) when isText(type) -> quoted(Bytes.utf8(content));
            case Value.Binary(Bytes content) -> quoted(content);
            default -> TextForm.print(type, value);
        };
    }

    private static String quoted(Bytes content) {
        boolean isUtf8 = ValueParser.utf8(content).isPresent();
        var bytes = new ByteArrayOutputStream();
        for (byte each : content.array()) {
            switch (each) {
                case '\'', '\\' -> {
                    bytes.write(ESCAPE);
                    bytes.write(each);
                }
                case '\n' -> bytes.writeBytes(new byte[] {ESCAPE, 'n'});
                case '\r' -> bytes.writeBytes(new byte[] {ESCAPE, 'r'});
                case '\t' -> bytes.writeBytes(new byte[] {ESCAPE, 't'});
                default -> {
                    if ((each >= 0 && each < ' ') || (each < 0 && !isUtf8)) {
                        String hex = "\\x%02x".formatted(each & 0xFF);
                        bytes.writeBytes(hex.getBytes(StandardCharsets.US_ASCII));
                    } else {
                        bytes.write(each);
                    }
                }
            }
        }
        return "'" + bytes.toString(StandardCharsets.UTF_8) + "'";
    }

    private Bytes parse() {
        List<Type> types = types(table);
        List<Value> values = new ArrayList<>();
        boolean isMore = true;
        while (isMore) {
            if (values.size() == types.size()) {
                throw refused("the key has only " + types.size() + " columns");
            }
            values.add(value(table.key().get(values.size())));
            skipSpaces();
            isMore = offset < text.length();
            if (isMore && text.charAt(offset++) != ',') {
                throw refused("a comma is missing before '" + text.substring(offset - 1) + "'");
            }
        }
        return KeyCodec.encode(types, values.toArray(Value[]::new));
    }

    private Value value(Column column) {
        skipSpaces();
        if (offset < text.length() && (text.charAt(offset) == '\'' || text.charAt(offset) == '"')) {
            Bytes content = quotedContent(text.charAt(offset++));
            return column.type() == Primitive.STRING
                    ? Value.binary(content)
                    : ValueParser.utf8(content)
                            .flatMap(found -> ValueParser.parse(column.type(), found))
                            .orElseThrow(() -> notOf(column, null));
        }
        int comma = text.indexOf(',', offset);
        String word = text.substring(offset, comma < 0 ? text.length() : comma).strip();
        offset = comma < 0 ? text.length() : comma;
        if (word.equalsIgnoreCase("NULL")) {
            return Value.Null.NULL;
        }
        Optional<Value> value =
                word.isEmpty() ? Optional.empty() : ValueParser.parse(column.type(), word);
        return value.orElseThrow(() -> notOf(column, word));
    }

    private Bytes quotedContent(char quote) {
        var bytes = new ByteArrayOutputStream();
        while (true) {
            char next = nextInQuotes(quote);
            if (next == quote) {
                return Bytes.wrap(bytes.toByteArray());
            }
            if (next == ESCAPE) {
                bytes.writeBytes(escaped(nextInQuotes(quote), quote));
            } else {
                int codePoint = text.codePointAt(offset - 1);
                offset += Character.charCount(codePoint) - 1;
                bytes.writeBytes(Character.toString(codePoint).getBytes(StandardCharsets.UTF_8));
            }
        }
    }

    private byte[] escaped(char escaped, char quote) {
        return switch (escaped) {
            case 'n' -> new byte[] {'\n'};
            case 'r' -> new byte[] {'\r'};
            case 't' -> new byte[] {'\t'};
            case '\\', '\'', '"' -> new byte[] {(byte) escaped};
            case 'x' -> {
                String hex = "" + nextInQuotes(quote) + nextInQuotes(quote);
                try {
                    yield HexFormat.of().parseHex(hex);
                } catch (IllegalArgumentException _) {
                    throw refused("\\x must be followed by two hex digits, not '" + hex + "'");
                }
            }
            default -> throw refused("unknown escape \\" + escaped);
        };
    }

    private char nextInQuotes(char quote) {
        if (offset >= text.length()) {
            throw refused("the closing " + quote + " is missing");
        }
        return text.charAt(offset++);
    }

    private void skipSpaces() {
        while (offset < text.length() && text.charAt(offset) == ' ') {
            offset++;
        }
    }

    private StatusException notOf(Column column, @Nullable String word) {
        return refused(
                "%s is not a valid %s for column %s"
                        .formatted(
                                word == null ? "the quoted string" : "'" + word + "'",
                                column.type().text(),
                                column.name()));
    }

    private StatusException refused(String why) {
        List<String> columns =
                table.key().stream().map(c -> c.name() + " " + c.type().text()).toList();
        return new StatusException(
                Status.BAD_REQUEST,
                ("%s is not a key of %s: %s. Give values for (%s), separated by commas, strings in"
                                + " quotes: 'abc',5")
                        .formatted(text, table.path(), why, String.join(", ", columns)));
    }
}
