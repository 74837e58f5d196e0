package io.cleave.yt.tree;

import io.cleave.base.Bytes;
import io.cleave.value.YsonNode;
import io.cleave.yt.command.CommandParameters;
import io.cleave.yt.error.YtCodes;
import io.cleave.yt.error.YtException;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Optional;

/// Reads and changes parts of a YSON value. A path of keys names the part: a member of a map by its
/// name, an item of a list by its index, or a place in a list (`begin`, `end`, `before:1`,
/// `after:1`). An index may be negative. Attributes of inner values cannot be addressed. Pure.
final class YsonEdit {
    private static final String BEGIN = "begin";
    private static final String END = "end";
    private static final String BEFORE = "before:";
    private static final String AFTER = "after:";

    private YsonEdit() {}

    static YsonNode get(YsonNode value, List<Bytes> path) {
        YsonNode at = value;
        for (int depth = 0; depth < path.size(); depth++) {
            Bytes key = path.get(depth);
            at =
                    switch (at.bare()) {
                        case YsonNode.Members(var members) -> {
                            YsonNode member = members.get(key);
                            if (member == null) {
                                throw noKey(path, depth);
                            }
                            yield member;
                        }
                        case YsonNode.Items(List<YsonNode> items) ->
                                items.get(index(items, path, depth));
                        default -> throw noChildren(path, depth);
                    };
        }
        return at;
    }

    static boolean exists(YsonNode value, List<Bytes> path) {
        try {
            var _ = get(value, path);
            return true;
        } catch (YtException _) {
            return false;
        }
    }

    /// The value with `put` at the path.
    static YsonNode set(YsonNode value, List<Bytes> path, YsonNode put, boolean recursive) {
        return set(value, path, 0, put, recursive);
    }

    private static YsonNode set(
            YsonNode value, List<Bytes> path, int depth, YsonNode put, boolean recursive) {
        if (depth == path.size()) {
            return put;
        }
        Bytes key = path.get(depth);
        boolean isLast = depth + 1 == path.size();
        return switch (value.bare()) {
            case YsonNode.Members(var members) -> {
                YsonNode member = members.get(key);
                if (member == null && !isLast && !recursive) {
                    throw noKey(path, depth);
                }
                var changed = new LinkedHashMap<>(members);
                changed.put(
                        key,
                        set(
                                member == null ? YsonNode.Members.EMPTY : member,
                                path,
                                depth + 1,
                                put,
                                recursive));
                yield new YsonNode.Members(changed).withAttributes(value.attributes());
            }
            case YsonNode.Items(List<YsonNode> items) -> {
                List<YsonNode> changed = new ArrayList<>(items);
                Optional<Integer> place = place(items, path, depth);
                if (place.isPresent()) {
                    if (!isLast) {
                        throw noKey(path, depth);
                    }
                    changed.add(place.get(), put);
                } else {
                    int index = index(items, path, depth);
                    changed.set(index, set(items.get(index), path, depth + 1, put, recursive));
                }
                yield YsonNode.list(changed).withAttributes(value.attributes());
            }
            default -> throw noChildren(path, depth);
        };
    }

    /// The value without the part at the path. If `all` is set, everything below the path is
    /// removed.
    static YsonNode remove(YsonNode value, List<Bytes> path, boolean all, boolean force) {
        return remove(value, path, 0, all, force);
    }

    private static YsonNode remove(
            YsonNode value, List<Bytes> path, int depth, boolean all, boolean force) {
        if (depth == path.size()) {
            return switch (value.bare()) {
                case YsonNode.Members _ ->
                        YsonNode.Members.EMPTY.withAttributes(value.attributes());
                case YsonNode.Items _ -> YsonNode.list().withAttributes(value.attributes());
                default -> throw noChildren(path, depth);
            };
        }
        Bytes key = path.get(depth);
        boolean isLast = depth + 1 == path.size() && !all;
        return switch (value.bare()) {
            case YsonNode.Members(var members) -> {
                YsonNode member = members.get(key);
                if (member == null) {
                    if (force) {
                        yield value;
                    }
                    throw noKey(path, depth);
                }
                var changed = new LinkedHashMap<>(members);
                if (isLast) {
                    changed.remove(key);
                } else {
                    changed.put(key, remove(member, path, depth + 1, all, force));
                }
                yield new YsonNode.Members(changed).withAttributes(value.attributes());
            }
            case YsonNode.Items(List<YsonNode> items) -> {
                int index = index(items, path, depth);
                List<YsonNode> changed = new ArrayList<>(items);
                if (isLast) {
                    changed.remove(index);
                } else {
                    changed.set(index, remove(items.get(index), path, depth + 1, all, force));
                }
                yield YsonNode.list(changed).withAttributes(value.attributes());
            }
            default -> throw noChildren(path, depth);
        };
    }

    /// The names of the members of a map.
    static List<Bytes> list(YsonNode value) {
        return switch (value.bare()) {
            case YsonNode.Members(var members) -> List.copyOf(members.keySet());
            default -> throw TreeErrors.unsupported("List", CommandParameters.typeName(value));
        };
    }

    /// The index at which a new item is inserted, if the key names a place in the list; otherwise
    /// empty.
    private static Optional<Integer> place(List<YsonNode> items, List<Bytes> path, int depth) {
        String key = path.get(depth).utf8();
        if (key.equals(BEGIN)) {
            return Optional.of(0);
        }
        if (key.equals(END)) {
            return Optional.of(items.size());
        }
        if (key.startsWith(BEFORE)) {
            return Optional.of(
                    index(items, key.substring(BEFORE.length()), TreeErrors.at(path, depth)));
        }
        if (key.startsWith(AFTER)) {
            return Optional.of(
                    1 + index(items, key.substring(AFTER.length()), TreeErrors.at(path, depth)));
        }
        return Optional.empty();
    }

    private static int index(List<YsonNode> items, List<Bytes> path, int depth) {
        return index(items, path.get(depth).utf8(), TreeErrors.at(path, depth));
    }

    private static int index(List<YsonNode> items, String key, String at) {
        int index;
        try {
            index = Integer.parseInt(key);
        } catch (NumberFormatException _) {
            throw new YtException(YtCodes.GENERIC, "Invalid list index \"%s\"".formatted(key));
        }
        int adjusted = index < 0 ? index + items.size() : index;
        if (adjusted < 0 || adjusted >= items.size()) {
            throw new YtException(
                    YtCodes.RESOLVE_ERROR, "%s has no child with index %d".formatted(at, index));
        }
        return adjusted;
    }

    private static YtException noKey(List<Bytes> path, int depth) {
        return new YtException(
                YtCodes.RESOLVE_ERROR,
                "%s has no child with key \"%s\""
                        .formatted(TreeErrors.at(path, depth), YPath.literal(path.get(depth))));
    }

    private static YtException noChildren(List<Bytes> path, int depth) {
        return new YtException(
                YtCodes.GENERIC, "%s cannot have children".formatted(TreeErrors.at(path, depth)));
    }
}
