package io.cleave.yt.table;

import io.cleave.base.Bytes;
import io.cleave.cluster.Bundles;
import io.cleave.cluster.TabletInfo;
import io.cleave.control.action.ActionRequest;
import io.cleave.control.action.Keeping;
import io.cleave.control.action.TabletAction;
import io.cleave.control.action.TabletAction.Content;
import io.cleave.control.action.TabletAction.Kind;
import io.cleave.control.action.TabletAction.Origin;
import io.cleave.control.action.TabletActions;
import io.cleave.schema.KeyRange;
import io.cleave.schema.ObjectId;
import io.cleave.schema.ObjectType;
import io.cleave.schema.Table;
import io.cleave.value.YsonNode;
import io.cleave.yt.command.CommandParameters;
import io.cleave.yt.error.YtCodes;
import io.cleave.yt.error.YtException;
import io.cleave.yt.tree.ActionNodes;
import io.cleave.yt.tree.SystemObject;
import io.cleave.yt.tree.Times;

import java.time.Duration;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Set;

/// The actions of the server as clients see and create them.
///
/// Threads: any.
final class StoredActions implements ActionNodes {
    private static final long MOST_TIMEOUT_MILLIS = Duration.ofDays(36_500).toMillis();

    private final YtTables tables;
    private final TabletActions actions;

    StoredActions(YtTables tables) {
        this.tables = tables;
        actions = tables.balancer().actions();
    }

    @Override
    public List<SystemObject> all() {
        return actions.list().stream().map(this::object).toList();
    }

    @Override
    public Optional<SystemObject> find(ObjectId id) {
        return actions.find(id).map(this::object);
    }

    @Override
    public YsonNode ofBundle(String bundle) {
        return YsonNode.list(actions.of(bundle).stream().map(StoredActions::summary).toList());
    }

    private static YsonNode summary(TabletAction action) {
        return YsonNode.map()
                .with("tablet_action_id", action.id().text())
                .with("kind", action.kind().text())
                .with("state", action.state().text())
                .withPresent("error", error(action))
                .build();
    }

    private static Optional<YsonNode> error(TabletAction action) {
        return action.error().isEmpty()
                ? Optional.empty()
                : Optional.of(
                        YsonNode.map()
                                .with("code", YtCodes.GENERIC)
                                .with("message", action.error())
                                .with("attributes", YsonNode.Members.EMPTY)
                                .with("inner_errors", YsonNode.list())
                                .build());
    }

    private SystemObject object(TabletAction action) {
        Content content = action.content();
        Keeping keeping = content.keeping();
        return SystemObject.of(action.id(), ObjectType.TABLET_ACTION)
                .with("kind", YsonNode.text(action.kind().text()))
                .with("state", YsonNode.text(action.state().text()))
                .with("tablet_ids", ids(ObjectType.TABLET, action.tabletIds()))
                .with("cell_ids", ids(ObjectType.TABLET_CELL, content.cellIds()))
                .with("pivot_keys", pivotKeys(content))
                .with("tablet_count", number(content.tabletCount()))
                .with("skip_freezing", YsonNode.bool(content.skipFreezing()))
                .with("keep_finished", YsonNode.bool(keeping.forever()))
                .with(
                        "expiration_time",
                        present(keeping.untilMicros())
                                .map(micros -> YsonNode.text(Times.text(micros))))
                .with(
                        "expiration_timeout",
                        present(keeping.forMicros()).map(micros -> YsonNode.of(micros / 1000)))
                .with("tablet_cell_bundle", YsonNode.text(content.bundle()))
                .with("error", error(action))
                .build();
    }

    private static YsonNode ids(ObjectType type, List<Long> numbers) {
        return YsonNode.texts(
                numbers.stream().map(number -> ObjectId.of(type, number).text()).toList());
    }

    private static Optional<YsonNode> number(OptionalInt count) {
        return count.isPresent() ? Optional.of(YsonNode.of(count.getAsInt())) : Optional.empty();
    }

    private static Optional<Long> present(OptionalLong number) {
        return number.isPresent() ? Optional.of(number.getAsLong()) : Optional.empty();
    }

    /// The first keys of the new tablets; empty for a move, and if the table is gone.
    private Optional<YsonNode> pivotKeys(Content content) {
        if (content.kind() == Kind.MOVE || content.tabletCount().isPresent()) {
            return Optional.empty();
        }
        return tables.tablets().tables().stream()
                .filter(table -> table.id() == content.tableId())
                .findFirst()
                .map(
                        table ->
                                YsonNode.list(
                                        content.pivotKeys().stream()
                                                .map(key -> PivotKeys.node(table, key))
                                                .toList()));
    }

    @Override
    public ObjectId create(YsonNode.Members attributes, BundleUse use) {
        var given = new CommandParameters(attributes);
        Kind kind = kind(given.requireText("kind"));
        List<Long> tabletIds = numbers(given, "tablet_ids", ObjectType.TABLET);
        if (tabletIds.isEmpty()) {
            throw problem("Invalid number of tablets: expected more than zero");
        }
        Table table = table(tabletIds);
        use.check(Bundles.of(table));
        Keeping keeping =
                Keeping.of(
                        given.find("keep_finished")
                                .map(_ -> given.flag("keep_finished", false))
                                .filter(keeps -> keeps),
                        given.text("expiration_time").map(StoredActions::micros).stream()
                                .mapToLong(Long::longValue)
                                .findFirst(),
                        given.number("expiration_timeout").stream()
                                .mapToLong(StoredActions::timeoutMicros)
                                .findFirst());
        return actions.begin(
                        new ActionRequest(
                                kind,
                                table,
                                tabletIds,
                                numbers(given, "cell_ids", ObjectType.TABLET_CELL),
                                kind == Kind.RESHARD
                                        ? pivots(table, tabletIds, given)
                                        : readKeys(table, given),
                                count(given),
                                given.flag("skip_freezing", false),
                                keeping,
                                Origin.CLIENT))
                .id();
    }

    private static OptionalInt count(CommandParameters given) {
        return given.number("tablet_count").stream()
                .peek(PivotRules::checkCount)
                .mapToInt(count -> (int) Math.max(count, Integer.MIN_VALUE))
                .findFirst();
    }

    private static List<Bytes> readKeys(Table table, CommandParameters given) {
        return given.find("pivot_keys")
                .map(keys -> PivotKeys.read(TableSchemas.of(table).keyColumns(), keys))
                .orElse(List.of());
    }

    /// The first keys of the new tablets. If the client has given a count, they are keys that cut
    /// the rows evenly, which may be fewer.
    private List<Bytes> pivots(Table table, List<Long> tabletIds, CommandParameters given) {
        OptionalInt count = count(given);
        boolean hasKeys = given.find("pivot_keys").isPresent();
        if (hasKeys == count.isPresent()) {
            throw problem(
                    "Exactly one of \"pivot_keys\" and \"tablet_count\" must be specified for an"
                            + " action of kind \"reshard\"");
        }
        if (hasKeys) {
            return readKeys(table, given);
        }
        Set<Long> ids = Set.copyOf(tabletIds);
        List<TabletInfo> named =
                tables.tablets(table).stream()
                        .filter(tablet -> ids.contains(tablet.tabletId()))
                        .toList();
        if (named.isEmpty() || count.getAsInt() < 1) {
            throw problem("Invalid number of new tablets: expected more than zero");
        }
        var range = new KeyRange(named.getFirst().range().from(), named.getLast().range().to());
        List<Bytes> pivots = new ArrayList<>();
        pivots.add(range.from());
        pivots.addAll(RowCuts.of(tables, table, range, count.getAsInt()));
        return pivots;
    }

    /// The table that all the tablets are of.
    private Table table(List<Long> tabletIds) {
        Table found = tableOf(tabletIds.getFirst());
        Set<Long> own = new HashSet<>();
        tables.tablets()
                .held()
                .view()
                .tablets(found.id())
                .forEach(place -> own.add(place.tabletId()));
        for (long tabletId : tabletIds) {
            if (!own.contains(tabletId)) {
                // Throws if it is of no table.
                var _ = tableOf(tabletId);
                throw problem(
                        "Tablets %s and %s belong to different tables"
                                .formatted(
                                        ObjectId.of(ObjectType.TABLET, tabletIds.getFirst()),
                                        ObjectId.of(ObjectType.TABLET, tabletId)));
            }
        }
        return found;
    }

    private Table tableOf(long tabletId) {
        return tables.tablets().tables().stream()
                .filter(
                        table ->
                                tables.tablets().held().view().tablets(table.id()).stream()
                                        .anyMatch(place -> place.tabletId() == tabletId))
                .findFirst()
                .orElseThrow(
                        () ->
                                new YtException(
                                        YtCodes.RESOLVE_ERROR,
                                        "No such object "
                                                + ObjectId.of(ObjectType.TABLET, tabletId)));
    }

    private static List<Long> numbers(CommandParameters given, String name, ObjectType type) {
        YsonNode ids = given.find(name).map(YsonNode::bare).orElseGet(YsonNode::list);
        if (!(ids instanceof YsonNode.Items(List<YsonNode> items))) {
            throw problem(
                    "Cannot parse parameter /%s: expected \"list\", got \"%s\""
                            .formatted(name, CommandParameters.typeName(ids)));
        }
        return items.stream().map(item -> number(item, name, type)).toList();
    }

    private static long number(YsonNode item, String name, ObjectType type) {
        return item.string()
                .flatMap(ObjectId::parse)
                .filter(id -> id.equals(ObjectId.of(type, id.number())))
                .map(ObjectId::number)
                .orElseThrow(
                        () ->
                                problem(
                                        "Parameter /%s has %s, which is no id of a %s"
                                                .formatted(name, item.print(), type.text())));
    }

    private static YtException problem(String message) {
        return new YtException(YtCodes.GENERIC, message);
    }

    @Override
    public void remove(ObjectId id) {
        actions.remove(id);
    }

    private static long timeoutMicros(long millis) {
        if (millis < 0 || millis > MOST_TIMEOUT_MILLIS) {
            throw problem(
                    "Invalid value for \"expiration_timeout\": expected 0 to %d, actual %d"
                            .formatted(MOST_TIMEOUT_MILLIS, millis));
        }
        return millis * 1000;
    }

    private static long micros(String time) {
        try {
            return Instant.EPOCH.until(Instant.parse(time), ChronoUnit.MICROS);
        } catch (DateTimeParseException | ArithmeticException _) {
            throw problem("Error parsing \"expiration_time\": \"%s\" is no time".formatted(time));
        }
    }

    /// A move is always smooth here: nobody notices it.
    private static Kind kind(String name) {
        return switch (name) {
            case "move", "smooth_move" -> Kind.MOVE;
            case "reshard" -> Kind.RESHARD;
            default ->
                    throw problem("Error parsing ETabletActionKind value \"%s\"".formatted(name));
        };
    }
}
