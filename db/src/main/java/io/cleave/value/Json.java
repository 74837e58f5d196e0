package io.cleave.value;

import java.math.BigInteger;
import java.util.Collections;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SequencedMap;
import java.util.function.IntConsumer;

/// A JSON document as a tree. The parser is strict (exactly RFC 8259); the printer writes no
/// spaces.
public sealed interface Json {
    /// The maximum depth of a document, because parsing and printing are recursive.
    int MAX_DEPTH = 512;

    /// A callback that ignores the steps.
    IntConsumer NOBODY = _ -> {};

    enum Constant implements Json {
        NULL("null"),
        TRUE("true"),
        FALSE("false");

        private final String text;

        Constant(String text) {
            this.text = text;
        }

        String text() {
            return text;
        }
    }

    /// A number. `whole` is set for a 64-bit integer that is so large that a double may not
    /// represent it. It is then the exact number, and `value` is the nearest double.
    record Numeral(double value, Optional<BigInteger> whole) implements Json {
        public Numeral(double value) {
            this(value, Optional.empty());
        }

        /// The exact number of an Int64 or Uint64.
        public static Numeral of(BigInteger integer) {
            boolean small = integer.bitLength() <= DOUBLE_BITS;
            return new Numeral(
                    integer.doubleValue(), small ? Optional.empty() : Optional.of(integer));
        }

        /// A double represents every integer with this many bits.
        private static final int DOUBLE_BITS = 53;
    }

    record Text(String value) implements Json {}

    record Array(List<Json> items) implements Json {
        public Array {
            items = List.copyOf(items);
        }
    }

    /// Members in the order of the map. If a name occurs several times in a document, the last
    /// member counts.
    record Members(SequencedMap<String, Json> members) implements Json {
        public Members {
            members = Collections.unmodifiableSequencedMap(new LinkedHashMap<>(members));
        }
    }

    /// The document in the text; empty if the text is not exactly one document.
    static Optional<Json> parse(String text) {
        return parse(text, true, NOBODY);
    }

    /// As [#parse(String)]; `pass` is called with 1 for each value, and may throw.
    static Optional<Json> parse(String text, IntConsumer pass) {
        return parse(text, true, pass);
    }

    /// As [#parse(String)], for the text of a JsonDocument, whose numbers are doubles.
    static Optional<Json> parseDocument(String text) {
        return parse(text, false, NOBODY);
    }

    static Optional<Json> parseDocument(String text, IntConsumer pass) {
        return parse(text, false, pass);
    }

    private static Optional<Json> parse(String text, boolean whole, IntConsumer pass) {
        try {
            return Optional.of(new JsonReader(text, whole, pass).document());
        } catch (JsonReader.Malformed _) {
            return Optional.empty();
        }
    }

    static boolean isValid(String text) {
        return parse(text).isPresent();
    }

    /// The text that a JsonDocument of this text prints: names in byte order, numbers as doubles,
    /// no spaces.
    static Optional<String> normalize(String text) {
        return normalize(text, NOBODY);
    }

    /// Normalizes a text; `pass` is called with 1 for each value, and may throw.
    static Optional<String> normalize(String text, IntConsumer pass) {
        return parseDocument(text, pass).map(json -> json.sorted(pass).print());
    }

    default String print() {
        var out = new StringBuilder();
        print(out);
        return out.toString();
    }

    /// The document with the members of every object sorted by the bytes of their names.
    default Json sorted() {
        return sorted(NOBODY);
    }

    /// Sorts a document; `pass` is called with 1 for each value, and may throw.
    default Json sorted(IntConsumer pass) {
        pass.accept(1);
        return switch (this) {
            case Array(List<Json> items) ->
                    new Array(items.stream().map(item -> item.sorted(pass)).toList());
            case Members(SequencedMap<String, Json> members) -> {
                var sorted = new LinkedHashMap<String, Json>();
                members.entrySet().stream()
                        .sorted(Map.Entry.comparingByKey(BY_BYTES))
                        .forEach(
                                member ->
                                        sorted.put(
                                                member.getKey(), member.getValue().sorted(pass)));
                yield new Members(sorted);
            }
            case Constant _, Numeral _, Text _ -> this;
        };
    }

    /// The order of the UTF-8 bytes.
    Comparator<String> BY_BYTES = Order::compareUtf8;

    private void print(StringBuilder out) {
        switch (this) {
            case Constant constant -> out.append(constant.text);
            case Numeral(double value, Optional<BigInteger> whole) ->
                    out.append(
                            whole.map(BigInteger::toString).orElseGet(() -> RealText.print(value)));
            case Text(String value) -> quote(value, out);
            case Array(List<Json> items) -> {
                char separator = '[';
                for (Json item : items) {
                    out.append(separator);
                    item.print(out);
                    separator = ',';
                }
                out.append(items.isEmpty() ? "[]" : "]");
            }
            case Members(SequencedMap<String, Json> members) -> {
                char separator = '{';
                for (var member : members.entrySet()) {
                    out.append(separator);
                    quote(member.getKey(), out);
                    out.append(':');
                    member.getValue().print(out);
                    separator = ',';
                }
                out.append(members.isEmpty() ? "{}" : "}");
            }
        }
    }

    /// Appends the text in quotes, with the escapes that JSON requires.
    static void quote(String text, StringBuilder out) {
        out.append('"');
        for (int index = 0; index < text.length(); index++) {
            char c = text.charAt(index);
            switch (c) {
                case '"' -> out.append("\\\"");
                case '\\' -> out.append("\\\\");
                case '\b' -> out.append("\\b");
                case '\f' -> out.append("\\f");
                case '\n' -> out.append("\\n");
                case '\r' -> out.append("\\r");
                case '\t' -> out.append("\\t");
                default -> {
                    if (c < ' ' || c == 0x7F) {
                        out.append(String.format("\\u%04X", (int) c));
                    } else {
                        out.append(c);
                    }
                }
            }
        }
        out.append('"');
    }
}
