package io.cleave.control.round;

import io.cleave.balance.BundleState;
import io.cleave.balance.CellMembership;
import io.cleave.balance.ClusterState;
import io.cleave.balance.Decision;
import io.cleave.balance.Due;
import io.cleave.balance.Rule;
import io.cleave.balance.TableState;
import io.cleave.balance.yt.schedule.MinuteCheck.Missed;
import io.cleave.base.Bytes;
import io.cleave.base.Status;
import io.cleave.base.StatusException;
import io.cleave.catalog.RoundRows;
import io.cleave.schema.Balancer;
import io.cleave.schema.Column;
import io.cleave.schema.ColumnFamily;
import io.cleave.schema.MountStates;
import io.cleave.schema.Table;
import io.cleave.schema.TableOptions;
import io.cleave.schema.YtTable;
import io.cleave.testkit.ForwardingEnv;
import io.cleave.testkit.SimEnv;
import io.cleave.value.Type.Primitive;
import io.cleave.value.YsonNode;
import io.cleave.value.YsonWriter;

import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/// Iterations over a cluster of names: a table has no tablets, and every table of a group that is
/// due is resharded, or moved if somebody said so. What happens is in [#events].
final class DrawnRounds implements RoundCluster, RoundActions, RoundRows {
    private final Clock clock = new Clock();
    private final Map<String, Bytes> bundles = new LinkedHashMap<>();
    private final Map<String, List<Table>> tables = new LinkedHashMap<>();
    private final Map<Group, Round> stored = new HashMap<>();
    private final Set<String> busy = new HashSet<>();

    /// The paths of tables that are moved when moves are due.
    private final Set<String> uneven = new HashSet<>();

    private final List<String> events = new ArrayList<>();
    private Bytes config = Bytes.EMPTY;
    private boolean takesWrites = true;
    private Rounds rounds = new Rounds(this, this, this, clock);
    private long tableIds;

    private static final class Clock extends ForwardingEnv {
        private long nanos;
        private Instant wall = Instant.EPOCH;
        private ZoneId zone = ZoneOffset.UTC;

        Clock() {
            super(new SimEnv(1));
        }

        @Override
        public long nanoTime() {
            return nanos;
        }

        @Override
        public long wallMicros() {
            return ChronoUnit.MICROS.between(Instant.EPOCH, wall);
        }

        @Override
        public ZoneId zone() {
            return zone;
        }
    }

    void configure(String text) {
        config = yson(text);
    }

    void zone(ZoneId zone) {
        clock.zone = zone;
    }

    void bundle(String name, String balancerConfig) {
        bundles.put(
                name,
                balancerConfig.isEmpty()
                        ? Bytes.EMPTY
                        : yson("{tablet_balancer_config=" + balancerConfig + "}"));
    }

    void table(String bundle, String name, String balancerConfig) {
        var settings = new TreeMap<String, Bytes>();
        if (!balancerConfig.isEmpty()) {
            settings.put("tablet_balancer_config", yson(balancerConfig));
        }
        var yt = new YtTable(true, Map.of(), settings, MountStates.MOUNTED);
        tables.computeIfAbsent(bundle, _ -> new ArrayList<>())
                .add(table(++tableIds, name, TableOptions.DEFAULT.with(yt)));
    }

    private static Table table(long id, String name, TableOptions options) {
        return new Table(
                id,
                1,
                name,
                List.of(
                        new Column(
                                1,
                                "k",
                                Primitive.UINT64,
                                false,
                                Column.DEFAULT_FAMILY,
                                Optional.empty())),
                List.of(0),
                2,
                List.of(ColumnFamily.DEFAULT),
                options,
                Map.of(),
                0,
                List.of(),
                0);
    }

    void dropTables(String bundle) {
        tables.remove(bundle);
    }

    private static Bytes yson(String text) {
        YsonNode node = YsonNode.parse(Bytes.utf8(text)).orElseThrow();
        return YsonWriter.write(node, YsonWriter.Format.BINARY);
    }

    void busy(String bundle, boolean isBusy) {
        boolean _ = isBusy ? busy.add(bundle) : busy.remove(bundle);
    }

    void uneven(String path, boolean isUneven) {
        boolean _ = isUneven ? uneven.add(path) : uneven.remove(path);
    }

    void takeWrites(boolean takes) {
        takesWrites = takes;
    }

    /// The process ends and starts again.
    void restart() {
        rounds = new Rounds(this, this, this, clock);
    }

    Instant wall() {
        return clock.wall;
    }

    /// Sets the wall clock.
    void jump(Instant to) {
        clock.wall = to;
    }

    void pass(Duration time) {
        clock.nanos += time.toNanos();
        clock.wall = clock.wall.plus(time);
    }

    void look() {
        rounds.look();
    }

    List<String> errors(String bundle) {
        return rounds.errors().of(bundle).stream().map(BundleErrors.BundleError::text).toList();
    }

    /// What has happened since the previous call.
    List<String> events() {
        List<String> all = List.copyOf(events);
        events.clear();
        return all;
    }

    @Override
    public Bytes config() {
        return config;
    }

    @Override
    public List<BundleState> bundles() {
        List<BundleState> all = new ArrayList<>();
        bundles.forEach((name, attributes) -> all.add(new BundleState(name, attributes)));
        return all;
    }

    @Override
    public Map<String, List<Table>> tables() {
        return tables;
    }

    /// The group of a table is the one that its path begins with.
    @Override
    public Decided decide(Set<Due> due) {
        List<TableState> states = new ArrayList<>();
        List<CellMembership> cells = new ArrayList<>();
        Map<Long, List<Decision>> decisions = new HashMap<>();
        bundles.keySet().forEach(name -> cells.add(new CellMembership(1, name, 1)));
        tables.forEach(
                (bundle, all) -> {
                    for (Table table : all) {
                        states.add(new TableState(table, bundle, Balancer.YT, List.of()));
                        String group = table.path().split("/")[0];
                        if (due.contains(new Due(bundle, group, Due.Kind.RESHARD))) {
                            decisions.put(table.id(), List.of(reshard()));
                        }
                        if (due.contains(new Due(bundle, group, Due.Kind.MOVE))
                                && uneven.contains(table.path())) {
                            decisions.put(table.id(), List.of(move()));
                        }
                    }
                });
        return new Decided(new ClusterState(states, cells, bundles()), decisions, Map.of());
    }

    private static Decision reshard() {
        return new Decision.Reshard(
                List.of(1L), List.of(Bytes.utf8("k")), Rule.RESHARD_BY_SIZE, List.of(), "");
    }

    private static Decision move() {
        return new Decision.Move(1, 1, 2, Rule.MOVE_BY_COUNT, List.of());
    }

    @Override
    public boolean isBusy(String bundle) {
        return busy.contains(bundle);
    }

    @Override
    public void begin(ClusterState cluster, TableState table, List<Decision> decisions) {
        for (Decision decision : decisions) {
            String what = decision instanceof Decision.Move ? "moves" : "reshards";
            events.add("%s of %s".formatted(what, table.table().path()));
        }
    }

    @Override
    public void missed(Table table, Missed missed) {
        events.add("%s missed: %s".formatted(table.path(), missed.text()));
    }

    @Override
    public Map<Group, Round> all() {
        return Map.copyOf(stored);
    }

    @Override
    public void change(Map<Group, Round> puts, Collection<Group> removals) {
        if (!takesWrites) {
            throw new StatusException(Status.UNAVAILABLE, "no writes are taken");
        }
        stored.putAll(puts);
        stored.keySet().removeAll(removals);
    }

    /// What is stored, one line for each group.
    List<String> storedLines() {
        List<String> lines = new ArrayList<>();
        new TreeMap<>(
                        stored.entrySet().stream()
                                .collect(
                                        java.util.stream.Collectors.toMap(
                                                each ->
                                                        each.getKey().bundle()
                                                                + " "
                                                                + each.getKey().name(),
                                                each ->
                                                        Instant.EPOCH.plus(
                                                                        each.getValue()
                                                                                .startMicros(),
                                                                        ChronoUnit.MICROS)
                                                                + " "
                                                                + each.getValue().pending())))
                .forEach((group, round) -> lines.add(group + ": " + round));
        return lines;
    }
}
