package io.cleave.console;

import io.cleave.value.Json;

import java.time.Instant;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.SequencedMap;

/// What YTsaurus' rules would do with a bundle, and what would come of it.
///
/// @param at the minute of the first round; empty if schedules were not looked at
/// @param supposed the settings that were supposed, in words
/// @param notes what else is to be known
/// @param idle why groups have no round, by their names
/// @param isAtRest whether a further round would change nothing
/// @param newTabletsFrom tablets with this id and higher ones are made by the rounds
/// @param left tablets that the first round leaves alone
public record BundlePlan(
        String bundle,
        ZoneId zone,
        Optional<Instant> at,
        List<String> supposed,
        List<String> notes,
        SequencedMap<String, String> idle,
        List<Departure> departures,
        List<Round> rounds,
        boolean isAtRest,
        long newTabletsFrom,
        List<Table> tables,
        List<Cell> cells,
        Balance before,
        Balance after,
        Work work,
        List<Left> left) {
    /// Limit of the changes that are shown.
    static final int MOST_CHANGES = 1000;

    private static final DateTimeFormatter EXACT =
            DateTimeFormatter.ofPattern("uuuu-MM-dd'T'HH:mmxxx", Locale.ROOT);

    /// What is asked for.
    ///
    /// @param at the time of the round as text; empty if schedules are not looked at
    /// @param settings each as `KEY=VALUE` or `TABLE:KEY=VALUE`
    public record Question(
            String bundle,
            Optional<String> at,
            List<String> settings,
            OptionalInt cells,
            OptionalInt rounds) {}

    /// What a cell that is removed gives to others before the first round.
    public record Departure(long cellId, int tablets, long bytes) {}

    public record Round(List<Change> changes) {}

    /// A change of tablets of a table.
    ///
    /// @param kind RESHARD or MOVE
    public record Change(
            String table, String kind, String rule, List<Long> tabletIds, String text) {}

    public record Table(String path, Sizes before, Sizes after) {}

    /// How many tablets there are, and their sizes in bytes.
    public record Sizes(int count, long min, long mean, long max) {}

    /// A cell before and after; empty if it is not there then.
    public record Cell(long cellId, Optional<Load> before, Optional<Load> after) {}

    /// What the tablets of a cell have together; the load is CPU time in cores.
    public record Load(int tablets, long bytes, long memoryBytes, double load) {}

    /// What the fullest cell has, divided by the mean; NaN if the cells have nothing of it.
    public record Balance(double tablets, double bytes, double memory, double load) {}

    /// All changes together.
    public record Work(
            int reshards,
            int resharded,
            long reshardedBytes,
            int made,
            int moved,
            long movedBytes) {
        static final Work NONE = new Work(0, 0, 0, 0, 0, 0);
    }

    /// Tablets that are left alone for the same reason.
    ///
    /// @param example one of them
    public record Left(String table, String rule, String why, int tablets, long example) {}

    /// For a terminal.
    public String text() {
        return new BundlePlanText(this).print();
    }

    int changeCount() {
        return rounds.stream().mapToInt(round -> round.changes().size()).sum();
    }

    SequencedMap<String, Json> members() {
        var members = new LinkedHashMap<String, Json>();
        members.put("bundle", new Json.Text(bundle));
        at.ifPresent(minute -> members.put("at", new Json.Text(EXACT.format(minute.atZone(zone)))));
        members.put("supposed", texts(supposed));
        members.put("notes", texts(notes));
        var groups = new LinkedHashMap<String, Json>();
        idle.forEach((group, why) -> groups.put(group, new Json.Text(why)));
        members.put("groups_without_round", new Json.Members(groups));
        members.put(
                "departures",
                new Json.Array(
                        departures.stream()
                                .map(
                                        each ->
                                                object(
                                                        "cell",
                                                        each.cellId,
                                                        "tablets",
                                                        each.tablets,
                                                        "bytes",
                                                        each.bytes))
                                .toList()));
        members.put("rounds", shownRounds());
        members.put("changes", new Json.Numeral(changeCount()));
        members.put("at_rest", flag(isAtRest));
        members.put("new_tablets_from", new Json.Numeral(newTabletsFrom));
        members.put("tables", new Json.Array(tables.stream().map(BundlePlan::json).toList()));
        members.put("cells", new Json.Array(cells.stream().map(BundlePlan::json).toList()));
        members.put("balance", object("before", json(before), "after", json(after)));
        members.put("work", json(work));
        members.put("left", new Json.Array(left.stream().map(BundlePlan::json).toList()));
        return members;
    }

    private Json shownRounds() {
        var all = new ArrayList<Json>();
        int room = MOST_CHANGES;
        for (Round round : rounds) {
            List<Change> shown = round.changes.subList(0, Math.min(room, round.changes.size()));
            room -= shown.size();
            all.add(new Json.Array(shown.stream().map(BundlePlan::json).toList()));
        }
        return new Json.Array(all);
    }

    private static Json json(Change change) {
        return object(
                "table",
                change.table,
                "kind",
                change.kind,
                "rule",
                change.rule,
                "tablets",
                new Json.Array(
                        change.tabletIds.stream().map(id -> (Json) new Json.Numeral(id)).toList()),
                "text",
                change.text);
    }

    private static Json json(Table table) {
        return object(
                "table", table.path, "before", json(table.before), "after", json(table.after));
    }

    private static Json json(Sizes sizes) {
        return object(
                "tablets",
                sizes.count,
                "min_bytes",
                sizes.min,
                "mean_bytes",
                sizes.mean,
                "max_bytes",
                sizes.max);
    }

    private static Json json(Cell cell) {
        var members = new LinkedHashMap<String, Json>();
        members.put("cell", new Json.Numeral(cell.cellId));
        cell.before.ifPresent(load -> members.put("before", json(load)));
        cell.after.ifPresent(load -> members.put("after", json(load)));
        return new Json.Members(members);
    }

    private static Json json(Load load) {
        return object(
                "tablets",
                load.tablets,
                "bytes",
                load.bytes,
                "memory_bytes",
                load.memoryBytes,
                "load",
                load.load);
    }

    private static Json json(Balance balance) {
        return object(
                "tablets",
                balance.tablets,
                "bytes",
                balance.bytes,
                "memory",
                balance.memory,
                "load",
                balance.load);
    }

    static Json json(Work work) {
        return object(
                "reshards",
                work.reshards,
                "resharded_tablets",
                work.resharded,
                "resharded_bytes",
                work.reshardedBytes,
                "made_tablets",
                work.made,
                "moved_tablets",
                work.moved,
                "moved_bytes",
                work.movedBytes);
    }

    private static Json json(Left left) {
        return object(
                "table",
                left.table,
                "rule",
                left.rule,
                "why",
                left.why,
                "tablets",
                left.tablets,
                "example",
                left.example);
    }

    /// An object of names and values, one after the other.
    private static Json object(Object... parts) {
        var members = new LinkedHashMap<String, Json>();
        for (int at = 0; at < parts.length; at += 2) {
            members.put((String) parts[at], value(parts[at + 1]));
        }
        return new Json.Members(members);
    }

    private static Json value(Object value) {
        return switch (value) {
            case Json json -> json;
            case String text -> new Json.Text(text);
            case Double number when Double.isNaN(number) -> Json.Constant.NULL;
            case Double number -> new Json.Numeral(number);
            case Number number -> new Json.Numeral(number.longValue());
            default -> throw new IllegalArgumentException(value.toString());
        };
    }

    private static Json flag(boolean value) {
        return value ? Json.Constant.TRUE : Json.Constant.FALSE;
    }

    private static Json texts(List<String> texts) {
        return new Json.Array(texts.stream().map(text -> (Json) new Json.Text(text)).toList());
    }
}
