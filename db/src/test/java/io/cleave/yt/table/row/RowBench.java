package io.cleave.yt.table.row;

import io.cleave.base.Status;
import io.cleave.base.StatusException;
import io.cleave.cluster.TabletInfo;
import io.cleave.query.Database;
import io.cleave.query.Databases;
import io.cleave.query.Texts;
import io.cleave.schema.Column;
import io.cleave.schema.KeyRange;
import io.cleave.schema.MountState;
import io.cleave.schema.MountStates;
import io.cleave.schema.ObjectId;
import io.cleave.schema.Table;
import io.cleave.schema.TableChange;
import io.cleave.schema.YtColumn;
import io.cleave.schema.YtTable;
import io.cleave.tablet.Route;
import io.cleave.testkit.TestStore;
import io.cleave.value.Value;
import io.cleave.value.YsonNode;
import io.cleave.value.YsonWriter;
import io.cleave.yt.command.Command;
import io.cleave.yt.command.FakeCall;
import io.cleave.yt.command.YtTimestamps;
import io.cleave.yt.error.YtError;
import io.cleave.yt.error.YtException;

import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/// A store, and the commands on rows over it.
final class RowBench implements AutoCloseable {
    final TestStore store;
    private Database database;
    private RowTransactions transactions;
    private Map<String, Command> commands;
    private final Map<String, String> transactionIds = new LinkedHashMap<>();
    private long shakes;

    RowBench(TestStore store) {
        this.store = store;
        open();
    }

    private void open() {
        database = Databases.withBuilds(store);
        transactions = new RowTransactions(database, store.env());
        commands = new HashMap<>();
        for (Command command : RowCommands.all(database, (_, path) -> path(path), transactions)) {
            commands.put(command.descriptor().name(), command);
        }
    }

    private String path(String ypath) {
        return "/local/" + ypath.substring(2);
    }

    Database database() {
        return database;
    }

    RowTransactions transactions() {
        return transactions;
    }

    /// Tablet transactions do not survive.
    void restart() {
        store.tablets().close();
        store.restart();
        open();
    }

    /// Runs a text of YQL, and returns its rows.
    String yql(String text) {
        try {
            return Texts.run(database, store.env(), text).stream()
                    .map(row -> row.stream().map(RowBench::shown).collect(Collectors.joining(" ")))
                    .collect(Collectors.joining("\n"));
        } catch (StatusException e) {
            return e.status() + " " + e.getMessage();
        }
    }

    private static String shown(Value value) {
        return switch (value) {
            case Value.Null _ -> "NULL";
            case Value.Int(long number) -> Long.toString(number);
            case Value.Text(String text) -> text;
            case Value.Binary(var bytes) -> bytes.utf8();
            case Value.Bool(boolean flag) -> Boolean.toString(flag);
            case Value.Real(double real) -> Double.toString(real);
            default -> value.toString();
        };
    }

    /// Puts columns of a table into lock groups: `a=g`.
    void lock(String name, Map<String, String> groups) {
        Table table = store.tablets().table("/local/" + name);
        Map<Integer, YtColumn> columns = new HashMap<>();
        for (Column column : table.columns()) {
            columns.put(
                    column.id(),
                    new YtColumn(
                            io.cleave.base.Bytes.utf8("int64"),
                            Optional.empty(),
                            true,
                            Optional.ofNullable(groups.get(column.name())),
                            Optional.empty(),
                            OptionalLong.empty()));
        }
        alter(table, yt(table).withColumns(columns));
    }

    /// Keeps versions for this long.
    void keepHistory(String name, long millis) {
        Table table = store.tablets().table("/local/" + name);
        var settings = new TreeMap<>(yt(table).settings());
        settings.put(
                "min_data_ttl", YsonWriter.write(YsonNode.of(millis), YsonWriter.Format.BINARY));
        alter(table, yt(table).withSettings(settings));
    }

    /// Remembers the present moment as `$name`.
    void remember(String name) {
        long now = store.transactions().timestamp();
        transactionIds.put(name, Long.toUnsignedString(YtTimestamps.toYt(now)) + "u");
    }

    /// Erases all rows as a range, as the TTL of YDB's tables does.
    void eraseAll(String name) {
        Table table = store.tablets().table("/local/" + name);
        for (Route route : store.tablets().map(table).routes()) {
            var _ = route.cell().structure().eraseRange(route.tabletId(), KeyRange.ALL);
        }
    }

    void compact(String name) {
        store.tablets().compact("/local/" + name);
    }

    void state(String name, MountState state) {
        Table table = store.tablets().table("/local/" + name);
        alter(table, yt(table).with(MountStates.of(state)));
    }

    private static YtTable yt(Table table) {
        return table.options().yt().orElse(YtTable.OTHER);
    }

    private void alter(Table table, YtTable changed) {
        store.tree().alterTable(table.path(), List.of(new TableChange.SetYt(changed)));
    }

    void start(String name) {
        transactionIds.put(name, transactions.start(FakeCall.of("{type=tablet}")).text());
    }

    /// Ends a transaction. Returns `ok`, or the error.
    String commit(String name) {
        FakeCall call = FakeCall.of("{}");
        return ended(() -> transactions.commit(call, id(name)));
    }

    String abort(String name) {
        return ended(() -> transactions.abort(id(name)));
    }

    String ping(String name) {
        return ended(() -> transactions.ping(id(name)));
    }

    private ObjectId id(String name) {
        return ObjectId.parse(transactionIds.get(name)).orElseThrow();
    }

    private String ended(Runnable work) {
        try {
            work.run();
            return "ok";
        } catch (YtException e) {
            return named(error(e.error(), ""));
        }
    }

    /// The error with the attributes that do not change from run to run.
    private static String error(YtError error, String indent) {
        var text = new StringBuilder(indent + error.code() + ": " + error.message());
        for (String name : List.of("key", "lock", "table_path", "loser_transaction_id")) {
            YsonNode value = error.attributes().member(name).orElse(null);
            if (value != null) {
                text.append("\n%s  %s=%s".formatted(indent, name, FakeCall.text(value)));
            }
        }
        error.innerErrors().forEach(inner -> text.append('\n').append(error(inner, indent + "  ")));
        return text.toString();
    }

    /// Runs a command with parameters and rows as YSON; `$a` is the id of the transaction `a`.
    String run(String command, String parameters, String rows) {
        String given = parameters;
        for (Map.Entry<String, String> each : transactionIds.entrySet()) {
            given = given.replace("$" + each.getKey(), each.getValue());
        }
        FakeCall call = FakeCall.of(given).withRows(rows);
        return named(call.runs(commands.get(command)));
    }

    /// The text with names in the place of ids.
    private String named(String text) {
        String named = withoutTimestamps(text);
        for (Map.Entry<String, String> each : transactionIds.entrySet()) {
            named = named.replace(each.getValue(), "$" + each.getKey());
        }
        return named.replaceAll("tablet [0-9a-f-]+ of", "tablet ID of")
                .replaceAll("Tablet [0-9a-f-]+ of", "Tablet ID of")
                .replaceAll(
                        "Timestamp [0-9a-f]+ is less than tablet [0-9a-f-]+ retained timestamp"
                                + " [0-9a-f]+",
                        "Timestamp T is less than tablet ID retained timestamp R");
    }

    /// The text with T1, T2, … in the place of timestamps, the oldest first.
    private static String withoutTimestamps(String text) {
        var found = new TreeSet<String>();
        Pattern.compile("[0-9]{15,}u").matcher(text).results().forEach(r -> found.add(r.group()));
        String changed = text;
        int number = 1;
        for (String timestamp : found) {
            changed = changed.replace(timestamp, "T" + number++);
        }
        return changed;
    }

    /// Splits tablets that have two rows, and moves one to the next cell.
    void shake(String name) {
        shakes++;
        String path = "/local/" + name;
        List<TabletInfo> tablets = store.tablets().infos(store.tablets().table(path));
        if (tablets.size() > 6) {
            store.resharding()
                    .merge(path, List.of(tablets.get(0).tabletId(), tablets.get(1).tabletId()));
            return;
        }
        for (TabletInfo tablet : tablets) {
            if (tablet.rows() > 1) {
                split(path, tablet.tabletId());
            }
        }
        tablets = store.tablets().infos(store.tablets().table(path));
        TabletInfo moved = tablets.get((int) (shakes % tablets.size()));
        store.resharding().move(path, moved.tabletId(), moved.cellId() % store.cells().size() + 1);
    }

    private void split(String path, long tabletId) {
        try {
            store.resharding().split(path, tabletId);
        } catch (StatusException e) {
            // Its rows are erased ones, or versions of one.
            if (e.status() != Status.BAD_REQUEST) {
                throw e;
            }
        }
    }

    static String text(YsonNode node) {
        return YsonWriter.write(node, YsonWriter.Format.TEXT).utf8();
    }

    @Override
    public void close() {
        store.close();
    }
}
