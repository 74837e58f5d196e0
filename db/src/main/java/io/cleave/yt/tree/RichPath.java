package io.cleave.yt.tree;

import io.cleave.base.Bytes;
import io.cleave.value.YsonNode;
import io.cleave.yt.error.YtCodes;
import io.cleave.yt.error.YtException;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// A path with options for a command: `<append=%true>//t{a,b}[#0:#10]`. Columns and row ranges
/// become the attributes `columns` and `ranges`.
///
/// @param path the path without attributes, columns and ranges
public record RichPath(Bytes path, YsonNode.Members attributes) {
    /// Reads the parameter of a command: a string in the short form, possibly with YSON attributes.
    public static RichPath of(YsonNode parameter) {
        if (!(parameter.bare() instanceof YsonNode.Text(Bytes text))) {
            throw new YtException(YtCodes.GENERIC, "Path must be a string");
        }
        RichPath parsed = parse(text);
        return new RichPath(
                parsed.path,
                YsonNode.map().withAll(parameter.attributes()).withAll(parsed.attributes).build());
    }

    public static RichPath parse(Bytes text) {
        var reader = new Reader(text);
        var attributes = YsonNode.map().withAll(reader.attributes());
        reader.cluster().ifPresent(cluster -> attributes.with("cluster", cluster));
        Bytes path = reader.path();
        reader.columns().ifPresent(columns -> attributes.with("columns", columns));
        reader.ranges().ifPresent(ranges -> attributes.with("ranges", ranges));
        reader.end();
        return new RichPath(path, attributes.build());
    }

    /// The path as YSON, with its attributes.
    public YsonNode toYson() {
        return YsonNode.text(path).withAttributes(attributes);
    }

    /// Reads the parts of the short form from left to right.
    private static final class Reader {
        private final Bytes text;
        private int at;

        Reader(Bytes text) {
            this.text = text;
        }

        YsonNode.Members attributes() {
            skipSpace();
            if (peek() != '<') {
                return YsonNode.Members.EMPTY;
            }
            int from = at;
            int depth = 0;
            do {
                switch (peek()) {
                    case -1 -> throw new YtException(YtCodes.GENERIC, "Unmatched '<' in YPath");
                    case '"' -> skipQuoted();
                    case '<' -> depth++;
                    case '>' -> depth--;
                    default -> {}
                }
                at++;
            } while (depth > 0);
            Bytes whole = Bytes.utf8(Bytes.copyOf(text.array(), from, at).utf8() + "#");
            YsonNode.Members found =
                    YsonNode.parse(whole)
                            .orElseThrow(
                                    () ->
                                            new YtException(
                                                    YtCodes.GENERIC,
                                                    "Error parsing attributes of YPath"))
                            .attributes();
            skipSpace();
            return found;
        }

        Optional<String> cluster() {
            skipSpace();
            if (peek() == '/' || peek() == '#' || peek() < 0) {
                return Optional.empty();
            }
            String rest = Bytes.copyOf(text.array(), at, text.length()).utf8();
            int colon = rest.indexOf(':');
            if (colon < 0) {
                throw new YtException(
                        YtCodes.GENERIC,
                        "Path \"%s\" does not start with a valid root-designator".formatted(rest));
            }
            String name = rest.substring(0, colon);
            if (name.isEmpty()) {
                throw new YtException(
                        YtCodes.GENERIC,
                        "Cluster name in path \"%s\" cannot be empty".formatted(rest));
            }
            for (int index = 0; index < name.length(); index++) {
                char c = name.charAt(index);
                if (c >= 0x80 || (!Character.isLetterOrDigit(c) && c != '-' && c != '_')) {
                    throw new YtException(
                            YtCodes.GENERIC,
                            "Possible cluster name in path \"%s\" contains illegal symbol \"%s\""
                                    .formatted(rest, c));
                }
            }
            at += colon + 1;
            if (peek() != '/' && peek() != '#') {
                throw new YtException(
                        YtCodes.GENERIC,
                        "Path \"%s\" does not start with a valid root-designator".formatted(rest));
            }
            return Optional.of(name);
        }

        Bytes path() {
            int from = at;
            while (peek() >= 0 && peek() != '{' && peek() != '[') {
                at += peek() == '\\' && at + 1 < text.length() ? 2 : 1;
            }
            return Bytes.copyOf(text.array(), from, at);
        }

        Optional<YsonNode> columns() {
            if (peek() != '{') {
                return Optional.empty();
            }
            at++;
            List<YsonNode> columns = new ArrayList<>();
            skipSpace();
            while (peek() != '}') {
                YsonNode column = scalar();
                if (!(column instanceof YsonNode.Text)) {
                    throw unexpected();
                }
                columns.add(column);
                separator(',', '}');
            }
            at++;
            skipSpace();
            return Optional.of(YsonNode.list(columns));
        }

        Optional<YsonNode> ranges() {
            if (peek() != '[') {
                return Optional.empty();
            }
            at++;
            List<YsonNode> ranges = new ArrayList<>();
            boolean more = true;
            while (more) {
                ranges.add(range());
                skipSpace();
                if (peek() != ',' && peek() != ']') {
                    throw unexpected();
                }
                more = peek() == ',';
                at++;
            }
            skipSpace();
            return Optional.of(YsonNode.list(ranges));
        }

        private YsonNode range() {
            Optional<YsonNode> lower = limit();
            skipSpace();
            if (peek() != ':') {
                return YsonNode.map().withPresent("exact", lower).build();
            }
            at++;
            return YsonNode.map()
                    .withPresent("lower_limit", lower)
                    .withPresent("upper_limit", limit())
                    .build();
        }

        private Optional<YsonNode> limit() {
            skipSpace();
            int first = peek();
            if (first == ':' || first == ',' || first == ']') {
                return Optional.empty();
            }
            if (first == '#' && Character.isDigit(peek(1))) {
                at++;
                return Optional.of(YsonNode.map().with("row_index", scalar()).build());
            }
            List<YsonNode> key = new ArrayList<>();
            if (first == '(') {
                at++;
                skipSpace();
                while (peek() != ')') {
                    key.add(scalar());
                    separator(',', ')');
                }
                at++;
            } else {
                key.add(scalar());
            }
            return Optional.of(YsonNode.map().with("key", YsonNode.list(key)).build());
        }

        private void separator(char separator, char closing) {
            skipSpace();
            if (peek() == separator) {
                at++;
                skipSpace();
            } else if (peek() != closing) {
                throw unexpected();
            }
        }

        /// A string, a number, a boolean or `#`.
        private YsonNode scalar() {
            skipSpace();
            int from = at;
            if (peek() == '"') {
                skipQuoted();
                at++;
            } else if (peek() == '#') {
                at++;
            } else {
                while (peek() >= 0
                        && (Character.isLetterOrDigit(peek()) || "_.%+-".indexOf(peek()) >= 0)) {
                    at++;
                }
            }
            Optional<YsonNode> value = YsonNode.parse(Bytes.copyOf(text.array(), from, at));
            if (value.isEmpty()) {
                at = from;
                throw unexpected();
            }
            return value.get();
        }

        /// Moves to the closing quote.
        private void skipQuoted() {
            at++;
            while (peek() >= 0 && peek() != '"') {
                at += peek() == '\\' ? 2 : 1;
            }
            if (peek() < 0) {
                throw unexpected();
            }
        }

        void end() {
            skipSpace();
            if (peek() >= 0) {
                throw unexpected();
            }
        }

        private YtException unexpected() {
            return peek() < 0
                    ? new YtException(YtCodes.GENERIC, "Unexpected end of stream in YPath")
                    : new YtException(
                            YtCodes.GENERIC,
                            "Unexpected token \"%s\" in YPath".formatted((char) peek()));
        }

        private void skipSpace() {
            while (peek() == ' ' || peek() == '\t' || peek() == '\n' || peek() == '\r') {
                at++;
            }
        }

        private int peek() {
            return peek(0);
        }

        private int peek(int further) {
            return at + further < text.length() ? text.at(at + further) & 0xFF : -1;
        }
    }
}
