package io.cleave.function.yt;

import io.cleave.base.Bytes;
import io.cleave.value.YsonNode;

import org.jspecify.annotations.Nullable;

import java.io.ByteArrayOutputStream;
import java.util.List;

/// Finds a part of a YSON value by a path such as `/key/0/@attribute`. A step is the name of a
/// member or attribute, or the position in a list. In a name, a backslash escapes each of the
/// characters `\ / @ & * [ {`. It also begins the code of a byte, as in `\x0a`.
final class YsonPath {
    private static final String SPECIAL = "/@&*[{";

    private final Bytes path;
    private int at;

    private YsonPath(Bytes path) {
        this.path = path;
    }

    /// The node; null if there is none. Throws if the path is malformed.
    static @Nullable YsonNode find(YsonNode root, Bytes path) {
        var steps = new YsonPath(path);
        YsonNode node = root;
        while (steps.at < path.length()) {
            steps.take('/');
            boolean attribute = steps.at < path.length() && path.at(steps.at) == '@';
            if (attribute) {
                steps.at++;
            }
            Bytes name = steps.name();
            YsonNode next = step(node, attribute, name);
            if (next == null) {
                // The rest of the path is not read. It may be malformed.
                return null;
            }
            node = next;
        }
        return node;
    }

    private static @Nullable YsonNode step(YsonNode node, boolean attribute, Bytes name) {
        if (attribute) {
            return node instanceof YsonNode.Attributed(YsonNode.Members attributes, _)
                    ? attributes.members().get(name)
                    : null;
        }
        return switch (node.bare()) {
            case YsonNode.Members members -> members.members().get(name);
            case YsonNode.Items(List<YsonNode> items) -> item(items, name.utf8());
            default -> null;
        };
    }

    private static @Nullable YsonNode item(List<YsonNode> items, String position) {
        boolean number =
                !position.isEmpty()
                        && position.length() <= 9
                        && position.chars().allMatch(c -> c >= '0' && c <= '9');
        int index = number ? Integer.parseInt(position) : items.size();
        return index < items.size() ? items.get(index) : null;
    }

    private void take(char wanted) {
        if (path.at(at) != wanted) {
            throw unexpected();
        }
        at++;
    }

    private Bytes name() {
        var name = new ByteArrayOutputStream();
        while (at < path.length() && SPECIAL.indexOf(path.at(at)) < 0) {
            byte c = path.at(at++);
            name.write(c == '\\' ? escaped() : c);
        }
        if (name.size() == 0) {
            throw unexpected();
        }
        return Bytes.wrap(name.toByteArray());
    }

    private int escaped() {
        if (at == path.length()) {
            throw unexpected();
        }
        byte c = path.at(at++);
        if (c != 'x') {
            if (c != '\\' && SPECIAL.indexOf(c) < 0) {
                throw unexpected();
            }
            return c;
        }
        int code = 0;
        for (int digit = 0; digit < 2; digit++) {
            int value = at < path.length() ? Character.digit(path.at(at++), 16) : -1;
            if (value < 0) {
                throw unexpected();
            }
            code = (code << 4) | value;
        }
        return code;
    }

    private RuntimeException unexpected() {
        Bytes rest = Bytes.copyOf(path.array(), Math.min(at, path.length()), path.length());
        return YtQueryErrors.failure(
                "Unexpected YPath token \"%s\" while parsing \"%s\""
                        .formatted(YtYson.escaped(rest), YtYson.escaped(path)));
    }
}
