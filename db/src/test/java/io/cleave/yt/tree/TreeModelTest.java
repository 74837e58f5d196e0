package io.cleave.yt.tree;

import static org.assertj.core.api.Assertions.assertThat;

import io.cleave.base.Bytes;
import io.cleave.value.YsonNode;
import io.cleave.yt.command.FakeCall;

import org.junit.jupiter.api.Test;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.TreeMap;

/// Random commands on the tree, compared with a map of paths, with transactions and restarts. A
/// transaction changes `//home`; others change `//tmp` meanwhile.
class TreeModelTest {
    private static final long SEED = Long.getLong("seed", new Random().nextInt(Integer.MAX_VALUE));
    private static final int ROUNDS = Integer.getInteger("rounds", 4000);
    private static final List<String> NAMES = List.of("a", "b", "c", "a!");

    /// A node of the model. `id` is empty until it was seen.
    private record Entry(String type, String value, Map<String, String> attributes, String id) {
        Entry copy() {
            return new Entry(type, value, new TreeMap<>(attributes), "");
        }

        Entry withId(String seen) {
            return new Entry(type, value, attributes, seen);
        }
    }

    private final Random random = new Random(SEED);
    private TreeMap<String, Entry> model = new TreeMap<>();

    /// The model as the open transaction sees it.
    private Optional<TreeMap<String, Entry>> inside = Optional.empty();

    private String transaction = "";

    @Test
    void theTreeIsWhatTheModelSays() {
        model.put("//home", map());
        model.put("//tmp", map());
        int round = 0;
        try (var tree = new TestTree(2)) {
            for (; round < ROUNDS; round++) {
                step(tree);
                if (round % 20 == 0) {
                    compare(tree);
                }
            }
            compare(tree);
        } catch (AssertionError | RuntimeException e) {
            throw new AssertionError("-Dseed=" + SEED + ", round " + round, e);
        }
    }

    private static Entry map() {
        return new Entry("map_node", "", new TreeMap<>(), "");
    }

    private void step(TestTree tree) {
        int chance = random.nextInt(100);
        if (chance < 1) {
            tree.restart();
            inside = Optional.empty();
        } else if (chance < 5 && inside.isEmpty()) {
            String answer =
                    tree.run("start_transaction", "{return_only_value=%true}", Optional.empty());
            transaction = answer.replace("\"", "");
            TreeMap<String, Entry> copy = new TreeMap<>();
            model.forEach(
                    (path, entry) ->
                            copy.put(
                                    path,
                                    new Entry(
                                            entry.type(),
                                            entry.value(),
                                            new TreeMap<>(entry.attributes()),
                                            entry.id())));
            inside = Optional.of(copy);
        } else if (chance < 8 && inside.isPresent()) {
            end(tree, random.nextBoolean());
        } else {
            boolean within = inside.isPresent() && random.nextBoolean();
            String root =
                    inside.isEmpty()
                            ? (random.nextBoolean() ? "//home" : "//tmp")
                            : within ? "//home" : "//tmp";
            command(
                    tree,
                    within ? inside.orElseThrow() : model,
                    root,
                    within ? ";transaction_id=\"" + transaction + "\"" : "");
        }
    }

    private void end(TestTree tree, boolean commit) {
        String answer =
                tree.run(
                        commit ? "commit_transaction" : "abort_transaction",
                        "{transaction_id=\"" + transaction + "\"}",
                        Optional.empty());
        assertThat(answer).doesNotStartWith("error");
        if (commit) {
            model.keySet().removeIf(path -> path.startsWith("//home"));
            inside.orElseThrow()
                    .forEach(
                            (path, entry) -> {
                                if (path.startsWith("//home")) {
                                    model.put(path, entry);
                                }
                            });
        }
        inside = Optional.empty();
    }

    private void command(TestTree tree, TreeMap<String, Entry> nodes, String root, String tail) {
        String path = path(root);
        switch (random.nextInt(9)) {
            case 0, 1 -> {
                String type =
                        List.of("map_node", "map_node", "document", "string_node", "table")
                                .get(random.nextInt(5));
                boolean can = isFree(nodes, path) && isMap(nodes, parent(path));
                check(
                        can,
                        tree.run(
                                "create",
                                "{type=%s;path=\"%s\"%s}".formatted(type, path, tail),
                                Optional.empty()));
                if (can) {
                    nodes.put(path, new Entry(type, initial(type), new TreeMap<>(), ""));
                }
            }
            case 2 -> {
                Entry there = nodes.get(path);
                long value = random.nextInt(100);
                boolean isNew = there == null && isMap(nodes, parent(path));
                boolean can =
                        isNew
                                || (there != null
                                        && (there.type().equals("int64_node")
                                                || there.type().equals("document")));
                check(
                        can,
                        tree.run(
                                "set",
                                "{path=\"%s\"%s}".formatted(path, tail),
                                Optional.of(Long.toString(value))));
                if (can) {
                    Entry put =
                            isNew
                                    ? new Entry("int64_node", "" + value, new TreeMap<>(), "")
                                    : new Entry(
                                            there.type(),
                                            "" + value,
                                            there.attributes(),
                                            there.id());
                    nodes.put(path, put);
                }
            }
            case 3, 4 -> {
                String name = "x" + random.nextInt(3);
                boolean can = nodes.containsKey(path);
                boolean removes = random.nextBoolean();
                String parameters = "{path=\"%s/@%s\";force=%%true%s}".formatted(path, name, tail);
                String value = Integer.toString(random.nextInt(100));
                check(
                        can || removes,
                        removes
                                ? tree.run("remove", parameters, Optional.empty())
                                : tree.run("set", parameters, Optional.of(value)));
                if (can) {
                    if (removes) {
                        nodes.get(path).attributes().remove(name);
                    } else {
                        nodes.get(path).attributes().put(name, value);
                    }
                }
            }
            case 5 -> {
                boolean recursive = random.nextInt(3) > 0;
                boolean can =
                        nodes.containsKey(path)
                                && !path.equals(root)
                                && (recursive || below(nodes, path).isEmpty());
                check(
                        can,
                        tree.run(
                                "remove",
                                "{path=\"%s\";recursive=%%%s%s}".formatted(path, recursive, tail),
                                Optional.empty()));
                if (can) {
                    nodes.keySet().removeAll(below(nodes, path));
                    nodes.remove(path);
                }
            }
            default -> {
                boolean moves = random.nextBoolean();
                String to = path(root);
                boolean force = random.nextInt(3) == 0;
                boolean can =
                        nodes.containsKey(path)
                                && !(moves && path.equals(root))
                                && !to.equals(path)
                                && !to.startsWith(path + "/")
                                && (isFree(nodes, to)
                                        || (force
                                                && !path.startsWith(to + "/")
                                                && !to.equals(root)))
                                && isMap(nodes, parent(to));
                check(
                        can,
                        tree.run(
                                moves ? "move" : "copy",
                                "{source_path=\"%s\";destination_path=\"%s\";force=%%%s%s}"
                                        .formatted(path, to, force, tail),
                                Optional.empty()));
                if (can) {
                    nodes.keySet().removeAll(below(nodes, to));
                    nodes.remove(to);
                    List<String> sources = new ArrayList<>(below(nodes, path));
                    sources.add(path);
                    for (String source : sources) {
                        Entry entry = nodes.get(source);
                        nodes.put(
                                to + source.substring(path.length()), moves ? entry : entry.copy());
                    }
                    if (moves) {
                        nodes.keySet().removeAll(sources);
                    }
                }
            }
        }
    }

    private static void check(boolean can, String answer) {
        assertThat(!answer.startsWith("error")).as(answer).isEqualTo(can);
    }

    private static String initial(String type) {
        return switch (type) {
            case "document" -> "#";
            case "string_node" -> "\"\"";
            default -> "";
        };
    }

    private String path(String root) {
        var path = new StringBuilder(root);
        int depth = random.nextInt(4);
        for (int step = 0; step < depth; step++) {
            path.append('/').append(NAMES.get(random.nextInt(NAMES.size())));
        }
        return path.toString();
    }

    private static String parent(String path) {
        return path.substring(0, path.lastIndexOf('/'));
    }

    private static boolean isFree(Map<String, Entry> nodes, String path) {
        return !nodes.containsKey(path);
    }

    private static boolean isMap(Map<String, Entry> nodes, String path) {
        return nodes.containsKey(path) && nodes.get(path).type().equals("map_node");
    }

    private static List<String> below(Map<String, Entry> nodes, String path) {
        return nodes.keySet().stream().filter(each -> each.startsWith(path + "/")).toList();
    }

    private void compare(TestTree tree) {
        compare(tree, model, "");
        inside.ifPresent(nodes -> compare(tree, nodes, ";transaction_id=\"" + transaction + "\""));
    }

    private void compare(TestTree tree, TreeMap<String, Entry> nodes, String tail) {
        TreeMap<String, Entry> found = new TreeMap<>();
        for (String root : List.of("//home", "//tmp")) {
            if (!tail.isEmpty() && root.equals("//tmp")) {
                // Outside of the transaction.
                continue;
            }
            String answer =
                    tree.run(
                            "get",
                            "{path=\"%s\";attributes=[type;value;user_attributes;id;path];return_only_value=%%true%s}"
                                    .formatted(root, tail),
                            Optional.empty());
            read(root, FakeCall.yson(answer), found);
        }
        var expected = new TreeMap<>(nodes);
        expected.keySet().removeIf(path -> !tail.isEmpty() && path.startsWith("//tmp"));
        // What was never seen before takes the id that it has now.
        expected.replaceAll(
                (path, entry) ->
                        entry.id().isEmpty() && found.containsKey(path)
                                ? entry.withId(found.get(path).id())
                                : entry);
        assertThat(found).isEqualTo(expected);
        assertThat(new HashSet<>(found.values().stream().map(Entry::id).toList()))
                .hasSize(found.size());
        nodes.putAll(expected);
        found.forEach(
                (path, entry) ->
                        assertThat(
                                        tree.run(
                                                "get",
                                                "{path=\"#%s/@path\";return_only_value=%%true%s}"
                                                        .formatted(entry.id(), tail),
                                                Optional.empty()))
                                .isEqualTo("\"" + path + "\""));
    }

    private static void read(String path, YsonNode node, Map<String, Entry> found) {
        String type = node.attribute("type").flatMap(YsonNode::string).orElseThrow();
        Map<String, String> attributes = new TreeMap<>();
        ((YsonNode.Members) node.attribute("user_attributes").orElseThrow())
                .members()
                .forEach((name, value) -> attributes.put(name.utf8(), value.print()));
        found.put(
                path,
                new Entry(
                        type,
                        node.attribute("value").map(YsonNode::print).orElse(""),
                        attributes,
                        node.attribute("id").flatMap(YsonNode::string).orElseThrow()));
        if (node.bare() instanceof YsonNode.Members(var members)) {
            for (Map.Entry<Bytes, YsonNode> member : members.entrySet()) {
                read(path + "/" + member.getKey().utf8(), member.getValue(), found);
            }
        }
    }
}
