package io.cleave.yt;

import io.cleave.base.Bytes;
import io.cleave.cluster.TabletInfo;
import io.cleave.query.Databases;
import io.cleave.testkit.ForwardingEnv;
import io.cleave.testkit.TestStore;
import io.cleave.value.YsonNode;
import io.cleave.yt.command.Command;
import io.cleave.yt.command.FakeCall;
import io.cleave.yt.tree.BundleOutlook;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicLong;

/// All commands, over a store in memory.
final class YtStore implements AutoCloseable {
    /// The attributes of a new table, as a part of the parameters of `create`.
    static final String TABLE =
            ";attributes={dynamic=%true;schema=[{name=k;type=int64;sort_order=ascending};"
                    + "{name=v;type=int64}]}";

    private final TestStore store;

    /// How much later it is for transactions than for everyone else.
    private final AtomicLong laterNanos = new AtomicLong();

    private Map<String, Command> commands = new HashMap<>();

    YtStore(int userCells) {
        store = new TestStore(userCells);
        open();
    }

    private void open() {
        var env =
                new ForwardingEnv(store.env()) {
                    @Override
                    public long nanoTime() {
                        return super.nanoTime() + laterNanos.get();
                    }
                };
        YtCommands all =
                YtCommands.of(
                        new YtCommands.Store(
                                env,
                                Databases.withBuilds(store),
                                store.tablets(),
                                store.resharding(),
                                store.transactions(),
                                store.balancer(),
                                BundleOutlook.NONE));
        commands = new HashMap<>();
        all.all().forEach(command -> commands.put(command.descriptor().name(), command));
    }

    void restart() {
        store.tablets().close();
        store.restart();
        open();
    }

    void pass(Duration time) {
        laterNanos.addAndGet(time.toNanos());
    }

    /// Runs a command; `input` is empty for commands that take none.
    String run(String name, String parameters, Optional<String> input) {
        FakeCall call = FakeCall.of(store.env(), parameters);
        return (input.isPresent() ? call.withInput(input.get()) : call).runs(commands.get(name));
    }

    /// Writes or erases rows, alone or in a tablet transaction.
    String modify(String name, String path, String rows, boolean inTransaction) {
        if (!inTransaction) {
            return modify(name, "{path=\"%s\"}".formatted(path), rows);
        }
        String id =
                run("start_transaction", "{type=tablet;return_only_value=%true}", Optional.empty());
        String within = ";transaction_id=" + id;
        String written = modify(name, "{path=\"%s\"%s}".formatted(path, within), rows);
        return written.startsWith("error")
                ? written
                : run("commit_transaction", "{transaction_id=" + id + "}", Optional.empty());
    }

    private String modify(String name, String parameters, String rows) {
        return FakeCall.of(store.env(), parameters).withRows(rows).runs(commands.get(name));
    }

    /// The rows of a table with the keys up to `keys`, as `KEY=VALUE `.
    String lookup(String path, int keys) {
        var wanted = new StringBuilder();
        for (int key = 0; key < keys; key++) {
            wanted.append("{k=%d};".formatted(key));
        }
        String answer = modify("lookup_rows", "{path=\"%s\"}".formatted(path), wanted.toString());
        return answer.startsWith("error")
                ? answer
                : answer.replaceAll("\\{\"k\"=(\\d+);\"v\"=(\\d+)\\};\\n?", "$1=$2 ");
    }

    /// The nodes as [TreeModel#shown] has them.
    List<String> tree(String root, String tail) {
        String answer =
                run(
                        "get",
                        "{path=\"%s\";attributes=[type;value;user_attributes;%s;tablet_state];return_only_value=%%true%s}"
                                .formatted(root, TreeModel.SETTING, tail),
                        Optional.empty());
        Map<String, String> lines = new TreeMap<>();
        read(root, FakeCall.yson(answer), lines);
        return new ArrayList<>(lines.values());
    }

    private static void read(String path, YsonNode node, Map<String, String> lines) {
        Map<String, String> attributes = new TreeMap<>();
        ((YsonNode.Members) node.attribute("user_attributes").orElseThrow())
                .members()
                .forEach((name, value) -> attributes.put(name.utf8(), value.print()));
        node.attribute(TreeModel.SETTING)
                .ifPresent(value -> attributes.put(TreeModel.SETTING, value.print()));
        lines.put(
                path,
                TreeModel.line(
                        path,
                        node.attribute("type").flatMap(YsonNode::string).orElseThrow(),
                        node.attribute("value").map(YsonNode::print).orElse(""),
                        attributes.toString(),
                        node.attribute("tablet_state").flatMap(YsonNode::string).orElse("")));
        if (node.bare() instanceof YsonNode.Members(var members)) {
            for (Map.Entry<Bytes, YsonNode> member : members.entrySet()) {
                read(path + "/" + member.getKey().utf8(), member.getValue(), lines);
            }
        }
    }

    void moveTablet(String path, Random random) {
        String stored = "/local" + path.substring(1);
        List<TabletInfo> tablets = store.tablets().infos(store.tablets().table(stored));
        TabletInfo moved = tablets.get(random.nextInt(tablets.size()));
        long cell = moved.cellId() % store.cells().size() + 1;
        var _ = store.resharding().move(stored, moved.tabletId(), cell);
    }

    @Override
    public void close() {
        store.close();
    }
}
