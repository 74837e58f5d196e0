package io.cleave.yt;

import static org.assertj.core.api.Assertions.assertThat;

import io.cleave.value.YsonNode;
import io.cleave.yt.command.FakeCall;

import org.junit.jupiter.api.Test;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.TreeMap;

/// Random commands on the tree and on rows, compared with a plain model: with transactions of the
/// tree that are nested, and that expire; while tablets are mounted, frozen, unmounted, cut anew
/// and moved; and with restarts. `-Dops=` sets how many.
///
/// A transaction changes `//home`; others change `//tmp` meanwhile. Rows are written everywhere.
class YtModelFuzzTest {
    private static final int OPS = Integer.getInteger("ops", 3_000);
    private static final int COMPARED_EVERY = 25;
    private static final int KEYS = 10;
    private static final List<String> NAMES = List.of("a", "b", "c");
    private static final List<Duration> TIMEOUTS =
            List.of(Duration.ofSeconds(1000), Duration.ofSeconds(3500));

    private final long seed = Long.getLong("seed", System.nanoTime());
    private final Random random = new Random(seed);
    private final TreeModel everyone = new TreeModel();

    /// The open transactions; each is nested in the one before.
    private final List<Level> levels = new ArrayList<>();

    private final List<String> trace = new ArrayList<>();
    private Duration now = Duration.ZERO;

    /// A transaction of the tree.
    private static final class Level {
        private final String id;
        private final TreeModel tree;
        private final Duration timeout;
        private Duration pinged;

        Level(String id, TreeModel tree, Duration timeout, Duration now) {
            this.id = id;
            this.tree = tree;
            this.timeout = timeout;
            pinged = now;
        }
    }

    @Test
    void commandsDoWhatThePlainModelDoes() {
        int op = 0;
        try (var store = new YtStore(3)) {
            for (; op < OPS; op++) {
                step(store);
                if (op % COMPARED_EVERY == 0) {
                    compare(store);
                }
            }
            compare(store);
        } catch (RuntimeException | AssertionError e) {
            int from = Math.max(0, trace.size() - 30);
            throw new AssertionError(
                    "-Dseed=%d, operation %d%n%s"
                            .formatted(
                                    seed, op, String.join("\n", trace.subList(from, trace.size()))),
                    e);
        }
    }

    private void step(YtStore store) {
        int dice = random.nextInt(100);
        if (dice < 40) {
            change(store);
        } else if (dice < 62) {
            rows(store);
        } else if (dice < 76) {
            states(store);
        } else if (dice < 82) {
            start(store);
        } else if (dice < 90) {
            end(store);
        } else if (dice < 93) {
            ping(store);
        } else if (dice < 95) {
            pass(store);
        } else if (dice < 98) {
            refused(store);
        } else if (random.nextInt(4) == 0) {
            trace.add("restart");
            store.restart();
            levels.clear();
        }
    }

    private String run(YtStore store, String name, String parameters, Optional<String> input) {
        String answer = store.run(name, parameters, input);
        trace.add(name + " " + parameters + input.map(" < "::concat).orElse("") + ": " + answer);
        return answer;
    }

    private void check(YtStore store, boolean can, String name, String parameters, String input) {
        String answer = run(store, name, parameters, Optional.of(input).filter(s -> !s.isEmpty()));
        assertThat(!answer.startsWith("error")).as(answer).isEqualTo(can);
    }

    // ---- the tree

    private void change(YtStore store) {
        boolean within = !levels.isEmpty() && random.nextBoolean();
        Optional<Level> level = within ? Optional.of(levels.getLast()) : Optional.empty();
        TreeModel tree = level.map(each -> each.tree).orElse(everyone);
        boolean inHome = within || (levels.isEmpty() && random.nextBoolean());
        String root = inHome ? "//home" : "//tmp";
        String tail = level.map(each -> ";transaction_id=\"" + each.id + "\"").orElse("");
        String path = path(root);
        switch (random.nextInt(8)) {
            case 0, 1, 2 -> {
                String type = List.of("map_node", "table", "table").get(random.nextInt(3));
                check(
                        store,
                        tree.create(path, type),
                        "create",
                        "{type=%s;path=\"%s\"%s%s}"
                                .formatted(
                                        type,
                                        path,
                                        tail,
                                        type.equals("table") ? YtStore.TABLE : ""),
                        "");
            }
            case 3 -> {
                long value = random.nextInt(100);
                check(
                        store,
                        tree.set(path, value),
                        "set",
                        "{path=\"%s\"%s}".formatted(path, tail),
                        Long.toString(value));
            }
            case 4 -> {
                boolean isSetting = random.nextInt(3) == 0;
                String name = isSetting ? TreeModel.SETTING : "x" + random.nextInt(2);
                long value = random.nextInt(100);
                if (isSetting && !tree.isTable(path)) {
                    return;
                }
                check(
                        store,
                        tree.setAttribute(path, name, value),
                        "set",
                        "{path=\"%s/@%s\"%s}".formatted(path, name, tail),
                        Long.toString(value));
            }
            case 5 -> {
                if (path.equals(root)) {
                    return;
                }
                check(
                        store,
                        tree.remove(path),
                        "remove",
                        "{path=\"%s\"%s}".formatted(path, tail),
                        "");
            }
            default -> {
                boolean moves = random.nextBoolean();
                boolean force = random.nextInt(3) == 0;
                String to = path(root);
                if (path.equals(root) || to.equals(root)) {
                    return;
                }
                check(
                        store,
                        moves ? tree.move(path, to, force) : tree.copy(path, to, force),
                        moves ? "move" : "copy",
                        "{source_path=\"%s\";destination_path=\"%s\";force=%%%s%s}"
                                .formatted(path, to, force, tail),
                        "");
            }
        }
    }

    private String path(String root) {
        var path = new StringBuilder(root);
        int depth = random.nextInt(3);
        for (int step = 0; step < depth; step++) {
            path.append('/').append(NAMES.get(random.nextInt(NAMES.size())));
        }
        return path.toString();
    }

    /// What a transaction has changed cannot be changed by others.
    private void refused(YtStore store) {
        String path = path("//home");
        String name = "x" + random.nextInt(2);
        long serial = everyone.serial(path);
        boolean isLocked = levels.stream().anyMatch(level -> level.tree.isTouched(serial, name));
        if (isLocked) {
            String answer =
                    run(store, "set", "{path=\"%s/@%s\"}".formatted(path, name), Optional.of("1"));
            assertThat(answer).startsWith("error 402");
        }
    }

    // ---- transactions of the tree

    private void start(YtStore store) {
        if (levels.size() == 3) {
            return;
        }
        Duration timeout = TIMEOUTS.get(random.nextInt(2));
        String parent = levels.isEmpty() ? "" : ";transaction_id=\"" + levels.getLast().id + "\"";
        String answer =
                run(
                        store,
                        "start_transaction",
                        "{timeout=%d;return_only_value=%%true%s}"
                                .formatted(timeout.toMillis(), parent),
                        Optional.empty());
        TreeModel below = levels.isEmpty() ? everyone : levels.getLast().tree;
        levels.add(new Level(answer.replace("\"", ""), below.nested(), timeout, now));
    }

    /// Ends a transaction, with those that are nested in it.
    private void end(YtStore store) {
        if (levels.isEmpty()) {
            return;
        }
        int index = random.nextInt(levels.size());
        Level level = levels.get(index);
        boolean commits = random.nextInt(3) > 0;
        String name = commits ? "commit_transaction" : "abort_transaction";
        check(store, true, name, "{transaction_id=\"%s\"}".formatted(level.id), "");
        if (commits) {
            (index == 0 ? everyone : levels.get(index - 1).tree).take(level.tree);
        }
        levels.subList(index, levels.size()).clear();
    }

    private void ping(YtStore store) {
        if (levels.isEmpty()) {
            return;
        }
        int index = random.nextInt(levels.size());
        boolean withAncestors = random.nextBoolean();
        String parameters =
                "{transaction_id=\"%s\";ping_ancestor_transactions=%%%s}"
                        .formatted(levels.get(index).id, withAncestors);
        check(store, true, "ping_transaction", parameters, "");
        for (Level level : levels.subList(withAncestors ? 0 : index, index + 1)) {
            level.pinged = now;
        }
    }

    private void pass(YtStore store) {
        Duration time = Duration.ofSeconds(600);
        trace.add("pass " + time);
        now = now.plus(time);
        store.pass(time);
        for (int index = 0; index < levels.size(); index++) {
            Level level = levels.get(index);
            if (now.minus(level.pinged).compareTo(level.timeout) > 0) {
                levels.subList(index, levels.size()).clear();
            }
        }
    }

    // ---- rows and tablets

    private Optional<String> anyTable() {
        List<String> all = everyone.tables();
        return all.isEmpty() ? Optional.empty() : Optional.of(all.get(random.nextInt(all.size())));
    }

    private void rows(YtStore store) {
        Optional<String> found = anyTable();
        if (found.isEmpty()) {
            return;
        }
        String path = found.get();
        TreeModel.Rows table = everyone.rows(path);
        boolean deletes = random.nextInt(3) == 0;
        TreeMap<Long, Long> changed = new TreeMap<>(table.rows);
        var text = new StringBuilder();
        for (int count = random.nextInt(3); count >= 0; count--) {
            long key = random.nextInt(KEYS);
            long value = random.nextInt(1000);
            text.append(deletes ? "{k=%d};".formatted(key) : "{k=%d;v=%d};".formatted(key, value));
            if (deletes) {
                changed.remove(key);
            } else {
                changed.put(key, value);
            }
        }
        String name = deletes ? "delete_rows" : "insert_rows";
        boolean inTransaction = random.nextInt(3) == 0;
        String answer = store.modify(name, path, text.toString(), inTransaction);
        trace.add(name + " " + path + " " + text + inTransaction + ": " + answer);
        if (table.state.equals("mounted")) {
            assertThat(answer).doesNotStartWith("error");
            table.rows = changed;
        } else {
            assertThat(answer).contains("1702");
        }
    }

    private void states(YtStore store) {
        Optional<String> found = anyTable();
        if (found.isEmpty()) {
            return;
        }
        String path = found.get();
        TreeModel.Rows table = everyone.rows(path);
        String parameters = "{path=\"%s\"}".formatted(path);
        String state = table.state;
        switch (random.nextInt(8)) {
            case 0, 1, 2 -> {
                check(store, !state.equals("frozen"), "mount_table", parameters, "");
                table.state = state.equals("frozen") ? state : "mounted";
            }
            case 3 -> {
                check(store, true, "unmount_table", parameters, "");
                table.state = "unmounted";
            }
            case 4 -> {
                check(store, !state.equals("unmounted"), "freeze_table", parameters, "");
                table.state = state.equals("mounted") ? "frozen" : state;
            }
            case 5 -> {
                check(store, !state.equals("unmounted"), "unfreeze_table", parameters, "");
                table.state = state.equals("frozen") ? "mounted" : state;
            }
            case 6 -> {
                boolean online = random.nextBoolean();
                check(
                        store,
                        online || state.equals("unmounted"),
                        "reshard_table",
                        "{path=\"%s\";online=%%%s;pivot_keys=[[]%s]}"
                                .formatted(path, online, pivots()),
                        "");
            }
            default -> {
                trace.add("move a tablet of " + path);
                store.moveTablet(path, random);
            }
        }
    }

    private String pivots() {
        var pivots = new StringBuilder();
        for (int key = 0; key < KEYS; key++) {
            if (random.nextInt(4) == 0) {
                pivots.append(";[%d]".formatted(key));
            }
        }
        return pivots.toString();
    }

    // ---- comparison

    private void compare(YtStore store) {
        trace.add("compare");
        assertThat(store.tree("//home", "")).isEqualTo(everyone.shown("//home"));
        assertThat(store.tree("//tmp", "")).isEqualTo(everyone.shown("//tmp"));
        for (Level level : levels) {
            assertThat(store.tree("//home", ";transaction_id=\"" + level.id + "\""))
                    .isEqualTo(level.tree.shown("//home"));
        }
        for (String path : everyone.tables()) {
            TreeModel.Rows table = everyone.rows(path);
            String found = store.lookup(path, KEYS);
            if (table.state.equals("unmounted")) {
                assertThat(found).as(path).startsWith("error 1702");
            } else {
                assertThat(found).as(path).isEqualTo(shown(table.rows));
            }
        }
        String open = run(store, "list", "{path=\"//sys/transactions\"}", Optional.empty());
        int count =
                ((YsonNode.Items) FakeCall.yson(open).member("value").orElseThrow()).items().size();
        assertThat(count).isEqualTo(levels.size());
    }

    private static String shown(TreeMap<Long, Long> rows) {
        var text = new StringBuilder();
        rows.forEach((key, value) -> text.append("%d=%d ".formatted(key, value)));
        return text.toString();
    }
}
