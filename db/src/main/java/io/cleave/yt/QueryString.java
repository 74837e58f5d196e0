package io.cleave.yt;

import io.cleave.base.Bytes;
import io.cleave.value.YsonNode;
import io.cleave.yt.error.YtCodes;
import io.cleave.yt.error.YtException;

import org.jspecify.annotations.Nullable;

import java.io.ByteArrayOutputStream;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SequencedMap;

/// The parameters in the query string of a URI. `a[b][c]=x` is `{a={b={c=x}}}`. Numbers and `true`
/// and `false` get their types; everything else is a string.
///
/// | text | value |
/// |---|---|
/// | `path=//a&force=true` | `{path="//a";force=%true}` |
/// | `attributes[0]=x&attributes[1]=y` | `{attributes=[x;y]}` |
/// | `f[$value]=yson&f[$attributes][format]=text` | `{f=<format=text>yson}` |
final class QueryString {
    private static final int MAX_DEPTH = 6;
    private static final int MAX_PARAMETERS = 1000;

    private QueryString() {}

    static YsonNode.Members parse(String text) {
        var root = new Branch();
        int count = 0;
        for (String pair : text.split("&")) {
            if (pair.isEmpty()) {
                continue;
            }
            count++;
            if (count > MAX_PARAMETERS) {
                throw bad("it has more than " + MAX_PARAMETERS + " parameters");
            }
            int equals = pair.indexOf('=');
            Bytes name = decode(equals < 0 ? pair : pair.substring(0, equals));
            Bytes value = decode(equals < 0 ? "" : pair.substring(equals + 1));
            root.put(keys(name), value);
        }
        return (YsonNode.Members) root.members();
    }

    /// The keys in `a[b][c]`.
    private static List<Bytes> keys(Bytes name) {
        List<Bytes> keys = new ArrayList<>();
        int at = indexOf(name, '[', 0);
        if (at < 0) {
            return List.of(name);
        }
        keys.add(Bytes.copyOf(name.array(), 0, at));
        while (at < name.length()) {
            int end = name.at(at) == '[' ? indexOf(name, ']', at) : -1;
            if (end < 0 || keys.size() == MAX_DEPTH) {
                throw bad("the name \"%s\" is not understood".formatted(name.utf8()));
            }
            keys.add(Bytes.copyOf(name.array(), at + 1, end));
            at = end + 1;
        }
        return keys;
    }

    private static int indexOf(Bytes bytes, char wanted, int from) {
        for (int at = from; at < bytes.length(); at++) {
            if (bytes.at(at) == wanted) {
                return at;
            }
        }
        return -1;
    }

    private static Bytes decode(String text) {
        var out = new ByteArrayOutputStream(text.length());
        for (int at = 0; at < text.length(); at++) {
            char c = text.charAt(at);
            if (c == '+') {
                out.write(' ');
            } else if (c == '%') {
                int high = at + 2 < text.length() ? digit(text, at + 1) : -1;
                int low = at + 2 < text.length() ? digit(text, at + 2) : -1;
                if (high < 0 || low < 0) {
                    throw bad("a percent sign is not followed by two hexadecimal digits");
                }
                out.write(high << 4 | low);
                at += 2;
            } else {
                out.write(c);
            }
        }
        return Bytes.wrap(out.toByteArray());
    }

    private static int digit(String text, int at) {
        return Character.digit(text.charAt(at), 16);
    }

    private static YtException bad(String why) {
        return new YtException(YtCodes.GENERIC, "Cannot parse the query string: " + why);
    }

    /// A map of values by key. A value is a text or another branch.
    private static final class Branch {
        private static final Bytes VALUE = Bytes.utf8("$value");
        private static final Bytes ATTRIBUTES = Bytes.utf8("$attributes");

        private final Map<Bytes, Object> entries = new LinkedHashMap<>();

        void put(List<Bytes> keys, Bytes value) {
            Branch branch = this;
            for (Bytes key : keys.subList(0, keys.size() - 1)) {
                Object next = branch.entries.computeIfAbsent(key, _ -> new Branch());
                if (!(next instanceof Branch inner)) {
                    throw bad("\"%s\" is both a value and a map".formatted(key.utf8()));
                }
                branch = inner;
            }
            Bytes last = keys.getLast();
            if (branch.entries.put(last, value) != null) {
                throw bad("\"%s\" is given twice".formatted(last.utf8()));
            }
        }

        YsonNode members() {
            SequencedMap<Bytes, YsonNode> members = new LinkedHashMap<>();
            entries.forEach((key, value) -> members.put(key, node(value)));
            return new YsonNode.Members(members);
        }

        private static YsonNode node(Object value) {
            return value instanceof Branch branch ? branch.value() : scalar((Bytes) value);
        }

        private YsonNode value() {
            Object plain = entries.get(VALUE);
            if (plain != null) {
                Object attributes = entries.get(ATTRIBUTES);
                return attributes instanceof Branch branch
                        ? new YsonNode.Attributed((YsonNode.Members) branch.members(), node(plain))
                        : node(plain);
            }
            List<YsonNode> items = items();
            return items == null ? members() : new YsonNode.Items(items);
        }

        /// The items of a list, if the keys are 0, 1, 2, ...; otherwise null.
        private @Nullable List<YsonNode> items() {
            List<YsonNode> items = new ArrayList<>();
            for (int index = 0; index < entries.size(); index++) {
                Object item = entries.get(Bytes.utf8(Integer.toString(index)));
                if (item == null) {
                    return null;
                }
                items.add(node(item));
            }
            return items;
        }
    }

    private static YsonNode scalar(Bytes value) {
        String text = value.utf8();
        return switch (text) {
            case "true" -> new YsonNode.Bool(true);
            case "false" -> new YsonNode.Bool(false);
            default ->
                    text.matches("-?(0|[1-9][0-9]{0,17})") && !text.equals("-0")
                            ? new YsonNode.Int64(Long.parseLong(text))
                            : new YsonNode.Text(value);
        };
    }
}
