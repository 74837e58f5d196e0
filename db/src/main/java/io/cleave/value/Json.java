package io.cleave.value;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// A JSON document as a tree, with a strict reader (RFC 8259, nothing more) and a printer without
/// spaces.
public sealed interface Json {
    /// Deeper documents are refused: reading and printing go down by recursion.
    int MAX_DEPTH = 512;

    enum Constant implements Json {
        NULL("null"),
        TRUE("true"),
        FALSE("false");

        private final String text;

        Constant(String text) {
            this.text = text;
        }
    }

    record Numeral(double value) implements Json {}

    record Text(String value) implements Json {}

    record Array(List<Json> items) implements Json {
        public Array {
            items = List.copyOf(items);
        }
    }

    /// Members in the order of the map; of those with one name only the last is kept.
    record Members(Map<String, Json> members) implements Json {}

    /// The document in the text, or nothing if it is not exactly one.
    static Optional<Json> parse(String text) {
        try {
            return Optional.of(new Reader(text).document());
        } catch (Malformed _) {
            return Optional.empty();
        }
    }

    static boolean isValid(String text) {
        return parse(text).isPresent();
    }

    /// What a JsonDocument made of the text prints: names in byte order, numbers as doubles, no
    /// spaces.
    static Optional<String> normalize(String text) {
        return parse(text).map(json -> json.sorted().print());
    }

    default String print() {
        var out = new StringBuilder();
        print(out);
        return out.toString();
    }

    /// The same document with the members of every object in the byte order of their names.
    default Json sorted() {
        return switch (this) {
            case Array(List<Json> items) -> new Array(items.stream().map(Json::sorted).toList());
            case Members(Map<String, Json> members) -> {
                var sorted = new LinkedHashMap<String, Json>();
                members.entrySet().stream()
                        .sorted(Map.Entry.comparingByKey(BY_BYTES))
                        .forEach(member -> sorted.put(member.getKey(), member.getValue().sorted()));
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
            case Numeral(double value) -> out.append(RealText.print(value));
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
            case Members(Map<String, Json> members) -> {
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

    /// Appends the text in quotes, escaping what JSON wants escaped.
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

    /// Not JSON. Never leaves this file, so it carries nothing, not even a stack.
    final class Malformed extends Exception {
        private Malformed() {
            super("", null, false, false);
        }
    }

    /// Reads one document, by recursive descent.
    final class Reader {
        private final String text;
        private int at;

        private Reader(String text) {
            this.text = text;
        }

        private Json document() throws Malformed {
            Json json = value(0);
            skipSpace();
            require(at == text.length());
            return json;
        }

        private Json value(int depth) throws Malformed {
            require(depth <= MAX_DEPTH);
            skipSpace();
            return switch (peek()) {
                case '{' -> members(depth);
                case '[' -> array(depth);
                case '"' -> new Text(string());
                case 'n' -> constant(Constant.NULL);
                case 't' -> constant(Constant.TRUE);
                case 'f' -> constant(Constant.FALSE);
                default -> number();
            };
        }

        private Json members(int depth) throws Malformed {
            var members = new LinkedHashMap<String, Json>();
            at++;
            skipSpace();
            if (peek() == '}') {
                at++;
                return new Members(members);
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
            return new Members(members);
        }

        private Json array(int depth) throws Malformed {
            var items = new ArrayList<Json>();
            at++;
            skipSpace();
            if (peek() == ']') {
                at++;
                return new Array(items);
            }
            do {
                items.add(value(depth + 1));
                skipSpace();
            } while (separatorOr(']'));
            return new Array(items);
        }

        /// True after a comma, false after the closing bracket.
        private boolean separatorOr(char closing) throws Malformed {
            char c = next();
            require(c == ',' || c == closing);
            return c == ',';
        }

        private Json constant(Constant constant) throws Malformed {
            require(text.startsWith(constant.text, at));
            at += constant.text.length();
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
            double value = Double.parseDouble(text.substring(from, at));
            require(!Double.isInfinite(value));
            return new Numeral(value);
        }

        private void digits() throws Malformed {
            int from = at;
            at = Numbers.skipDigits(text, at);
            require(at > from);
        }

        private String string() throws Malformed {
            var out = new StringBuilder();
            at++;
            while (true) {
                char c = next();
                require(c >= ' ');
                if (c == '"') {
                    require(isWellFormed(out));
                    return out.toString();
                }
                out.append(c == '\\' ? escape() : c);
            }
        }

        /// No half of a surrogate pair stands alone, as it can after an escape.
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
    }
}
