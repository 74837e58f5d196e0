package io.cleave.yt;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/// A plain model of the tree: maps, numbers and tables by path. The views of transactions share
/// their tables.
final class TreeModel {
    /// An attribute of tables that is stored with the table.
    static final String SETTING = "min_data_ttl";

    private static final long DEFAULT_SETTING = 1_800_000;

    private TreeMap<String, Node> nodes = new TreeMap<>();

    /// The attributes that were changed in this view, as `SERIAL NAME`.
    private final Set<String> touched = new HashSet<>();

    /// The rows of a table and the state of its tablets.
    static final class Rows {
        TreeMap<Long, Long> rows = new TreeMap<>();
        String state = "unmounted";

        Rows copy() {
            var copy = new Rows();
            copy.rows = new TreeMap<>(rows);
            return copy;
        }
    }

    /// @param serial the same for a node in all views
    private record Node(
            long serial, String type, long value, Map<String, Long> attributes, Rows rows) {
        Node view() {
            return new Node(serial, type, value, new HashMap<>(attributes), rows);
        }
    }

    private static long serials;

    TreeModel() {
        nodes.put("//home", node("map_node"));
        nodes.put("//tmp", node("map_node"));
    }

    private static Node node(String type) {
        Map<String, Long> attributes = new HashMap<>();
        if (type.equals("table")) {
            attributes.put(SETTING, DEFAULT_SETTING);
        }
        return new Node(serials++, type, 0, attributes, new Rows());
    }

    /// What a transaction sees at its start.
    TreeModel nested() {
        var nested = new TreeModel();
        nested.nodes = new TreeMap<>();
        nodes.forEach((path, node) -> nested.nodes.put(path, node.view()));
        return nested;
    }

    /// Takes over `//home` from a transaction that commits.
    void take(TreeModel nested) {
        nodes.keySet().removeIf(path -> path.startsWith("//home"));
        nested.nodes.forEach(
                (path, node) -> {
                    if (path.startsWith("//home")) {
                        nodes.put(path, node);
                    }
                });
        touched.addAll(nested.touched);
    }

    boolean isTable(String path) {
        return nodes.containsKey(path) && nodes.get(path).type.equals("table");
    }

    private boolean isMap(String path) {
        return nodes.containsKey(path) && nodes.get(path).type.equals("map_node");
    }

    List<String> tables() {
        return nodes.keySet().stream().filter(this::isTable).toList();
    }

    Rows rows(String path) {
        return nodes.get(path).rows;
    }

    long serial(String path) {
        return nodes.containsKey(path) ? nodes.get(path).serial : -1;
    }

    boolean isTouched(long serial, String name) {
        return touched.contains(serial + " " + name);
    }

    private static String parent(String path) {
        return path.substring(0, path.lastIndexOf('/'));
    }

    private List<String> tree(String path) {
        return nodes.keySet().stream()
                .filter(each -> each.equals(path) || each.startsWith(path + "/"))
                .toList();
    }

    // ---- each returns whether the command succeeds

    boolean create(String path, String type) {
        boolean can = !nodes.containsKey(path) && isMap(parent(path));
        if (can) {
            nodes.put(path, node(type));
        }
        return can;
    }

    boolean set(String path, long value) {
        Node there = nodes.get(path);
        boolean can = there == null ? isMap(parent(path)) : there.type.equals("int64_node");
        if (can) {
            Node old = there == null ? node("int64_node") : there;
            nodes.put(path, new Node(old.serial, old.type, value, old.attributes, old.rows));
        }
        return can;
    }

    boolean setAttribute(String path, String name, long value) {
        Node there = nodes.get(path);
        if (there != null) {
            there.attributes.put(name, value);
            touched.add(there.serial + " " + name);
        }
        return there != null;
    }

    boolean remove(String path) {
        boolean can = nodes.containsKey(path);
        nodes.keySet().removeAll(tree(path));
        return can;
    }

    boolean move(String path, String to, boolean force) {
        boolean can = canPut(path, to, force);
        can &= tree(path).stream().allMatch(each -> isIn(each, "unmounted"));
        if (can) {
            var moved = new TreeMap<String, Node>();
            tree(path).forEach(each -> moved.put(at(each, path, to), nodes.get(each)));
            remove(to);
            remove(path);
            nodes.putAll(moved);
        }
        return can;
    }

    boolean copy(String path, String to, boolean force) {
        boolean can = canPut(path, to, force);
        can &= tree(path).stream().allMatch(each -> isIn(each, "unmounted", "frozen"));
        if (can) {
            var copies = new TreeMap<String, Node>();
            for (String each : tree(path)) {
                Node node = nodes.get(each);
                copies.put(
                        at(each, path, to),
                        new Node(
                                serials++,
                                node.type,
                                node.value,
                                new HashMap<>(node.attributes),
                                node.rows.copy()));
            }
            remove(to);
            nodes.putAll(copies);
        }
        return can;
    }

    private static String at(String path, String from, String to) {
        return to + path.substring(from.length());
    }

    private boolean isIn(String path, String... states) {
        return !isTable(path) || List.of(states).contains(rows(path).state);
    }

    private boolean canPut(String path, String to, boolean force) {
        boolean isFree =
                !nodes.containsKey(to) || (force && !path.startsWith(to + "/") && !path.equals(to));
        return nodes.containsKey(path)
                && !to.equals(path)
                && !to.startsWith(path + "/")
                && isFree
                && isMap(parent(to));
    }

    /// A line for each node at a path and below it.
    List<String> shown(String root) {
        List<String> lines = new ArrayList<>();
        for (String path : tree(root)) {
            Node node = nodes.get(path);
            boolean isNumber = node.type.equals("int64_node");
            lines.add(
                    line(
                            path,
                            node.type,
                            isNumber ? Long.toString(node.value) : "",
                            new TreeMap<>(node.attributes).toString(),
                            isTable(path) ? node.rows.state : ""));
        }
        return lines;
    }

    static String line(String path, String type, String value, String attributes, String state) {
        return "%s %s %s %s %s".formatted(path, type, value, attributes, state);
    }
}
