package io.cleave.balance.yt;

import io.cleave.balance.BundleState;
import io.cleave.balance.CellMembership;
import io.cleave.balance.ClusterState;
import io.cleave.balance.Due;
import io.cleave.balance.KeyFacts;
import io.cleave.balance.TableState;
import io.cleave.balance.TabletState;
import io.cleave.base.Bytes;
import io.cleave.schema.Balancer;
import io.cleave.schema.CellStage;
import io.cleave.schema.Column;
import io.cleave.schema.ColumnFamily;
import io.cleave.schema.KeyRange;
import io.cleave.schema.MountState;
import io.cleave.schema.MountStates;
import io.cleave.schema.Table;
import io.cleave.schema.TableOptions;
import io.cleave.schema.TabletCounter;
import io.cleave.schema.TabletCounters;
import io.cleave.schema.TabletCounters.Window;
import io.cleave.schema.YtTable;
import io.cleave.value.KeyCodec;
import io.cleave.value.Type.Primitive;
import io.cleave.value.Value;
import io.cleave.value.YsonNode;
import io.cleave.value.YsonWriter;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;

/// A cluster as a text draws it:
///
/// ```
/// bundle b cells=11,12 config={enable_cell_balancer=%true}
/// table 1 bundle=b balancer=ydb memory=compressed config={min_tablet_count=2}
/// tablet 101 table=1 in=11 mb=300 files=100 pinned=10 rows=5 state=frozen
/// tablet 102 write=7 lookup=3 measured=30        # bytes per second in all windows, since 30 s
/// keys 101 500=30 700=60        # numbers with so many percent of the bytes before them
/// cluster config={max_actions_per_group=1}
/// due b legacy=reshard hot=move # in a round, what is due in the groups of a bundle
/// ```
///
/// Sizes are in MB. Rates have been measured for an hour unless the line says otherwise. A table is
/// in the bundle `default` and has the balancer YT unless it says otherwise; a tablet is in cell 1.
/// Without a line `bundle`, there is the bundle `default` with the cells 1 and 2. The n-th tablet
/// of a table begins at the key n * 1000, the first one at no key, and has rows at all numbers.
public final class DrawnCluster implements KeyFacts {
    private static final long WIDTH = 1000;
    private static final long MEGABYTE = 1 << 20;

    private final List<BundleState> bundles = new ArrayList<>();
    private final List<CellMembership> cells = new ArrayList<>();
    private final Set<Due> due = new HashSet<>();
    private Bytes config = Bytes.EMPTY;
    private final Map<Long, DrawnTable> tables = new LinkedHashMap<>();

    /// The places of tablets in their tables, by id.
    private final Map<Long, Integer> places = new HashMap<>();

    /// By tablet id; all numbers if it is not there.
    private final Map<Long, List<SizePoint>> points = new HashMap<>();

    private record DrawnTable(
            Table table, String bundle, Balancer balancer, List<TabletState> tablets) {}

    public void add(String line) {
        String[] words = line.strip().split("\\s+");
        Map<String, String> values = new LinkedHashMap<>();
        for (int at = 2; at < words.length; at++) {
            String[] pair = words[at].split("=", 2);
            values.put(pair[0], pair[1]);
        }
        switch (words[0]) {
            case "bundle" -> addBundle(words[1], values);
            case "table" -> addTable(Long.parseLong(words[1]), values);
            case "cluster" -> config = binary(words[1].substring("config=".length()));
            case "due" ->
                    values.forEach(
                            (group, kind) ->
                                    due.add(
                                            new Due(
                                                    words[1],
                                                    group,
                                                    Due.Kind.valueOf(
                                                            kind.toUpperCase(Locale.ROOT)))));
            case "tablet" -> addTablet(Long.parseLong(words[1]), values);
            case "keys" ->
                    points.put(
                            Long.parseLong(words[1]),
                            values.entrySet().stream()
                                    .map(
                                            point ->
                                                    new SizePoint(
                                                            key(Long.parseLong(point.getKey())),
                                                            Double.parseDouble(point.getValue())
                                                                    / 100))
                                    .toList());
            default -> throw new IllegalArgumentException(line);
        }
    }

    private void addBundle(String name, Map<String, String> values) {
        String config = values.getOrDefault("config", "");
        bundles.add(
                new BundleState(
                        name,
                        config.isEmpty()
                                ? Bytes.EMPTY
                                : binary("{tablet_balancer_config=" + config + "}")));
        String running = values.getOrDefault("cells", "");
        for (String cell : running.isEmpty() ? new String[0] : running.split(",")) {
            cells.add(new CellMembership(Long.parseLong(cell), name, 1));
        }
        if (values.containsKey("leaving")) {
            for (String cell : values.get("leaving").split(",")) {
                cells.add(
                        new CellMembership(
                                Long.parseLong(cell), name, 1, CellStage.DECOMMISSIONING));
            }
        }
    }

    private static Bytes binary(String text) {
        YsonNode node = YsonNode.parse(Bytes.utf8(text)).orElseThrow();
        return YsonWriter.write(node, YsonWriter.Format.BINARY);
    }

    private void addTable(long id, Map<String, String> values) {
        SortedMap<String, Bytes> settings = new TreeMap<>();
        if (values.containsKey("config")) {
            settings.put("tablet_balancer_config", binary(values.get("config")));
        }
        if (values.containsKey("memory")) {
            settings.put("in_memory_mode", binary(values.get("memory")));
        }
        var yt = new YtTable(true, Map.of(), settings, MountStates.MOUNTED);
        tables.put(
                id,
                new DrawnTable(
                        table(id, TableOptions.DEFAULT.with(yt)),
                        values.getOrDefault("bundle", "default"),
                        Balancer.named(values.getOrDefault("balancer", "yt")).orElseThrow(),
                        new ArrayList<>()));
    }

    public static Table table(long id, TableOptions options) {
        return new Table(
                id,
                1,
                "/local/t" + id,
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

    private void addTablet(long id, Map<String, String> values) {
        long tableId = Long.parseLong(values.getOrDefault("table", "1"));
        if (!tables.containsKey(tableId)) {
            addTable(tableId, Map.of());
        }
        List<TabletState> tablets = tables.get(tableId).tablets();
        int place = tablets.size();
        places.put(id, place);
        if (place > 0) {
            TabletState before = tablets.getLast();
            var range = new KeyRange(before.range().from(), key(place * WIDTH));
            tablets.set(place - 1, with(before, range));
        }
        long bytes = bytes(values.getOrDefault("mb", "0"));
        tablets.add(
                tablet(
                        id,
                        Long.parseLong(values.getOrDefault("in", "1")),
                        new KeyRange(place == 0 ? Bytes.EMPTY : key(place * WIDTH), null),
                        bytes,
                        Long.parseLong(values.getOrDefault("rows", "1000")),
                        values.containsKey("files") ? bytes(values.get("files")) : bytes,
                        bytes(values.getOrDefault("pinned", "0")),
                        MountState.valueOf(
                                values.getOrDefault("state", "mounted").toUpperCase(Locale.ROOT)),
                        counters(values)));
    }

    private static TabletCounters counters(Map<String, String> values) {
        double write = Double.parseDouble(values.getOrDefault("write", "0"));
        double lookup = Double.parseDouble(values.getOrDefault("lookup", "0"));
        double measured = Double.parseDouble(values.getOrDefault("measured", "3600"));
        return counters(write, lookup, measured);
    }

    static TabletCounters counters(double write, double lookup, double measuredSeconds) {
        var builder = new TabletCounters.Builder().measured(measuredSeconds);
        for (Window window : Window.values()) {
            builder.rate(TabletCounter.DYNAMIC_ROW_WRITE_DATA_WEIGHT, window, write);
            builder.rate(TabletCounter.DYNAMIC_ROW_LOOKUP_DATA_WEIGHT, window, lookup);
        }
        return builder.build();
    }

    /// A number of megabytes, or of bytes with a `b` behind it.
    private static long bytes(String text) {
        return text.endsWith("b")
                ? Long.parseLong(text.substring(0, text.length() - 1))
                : Long.parseLong(text) * MEGABYTE;
    }

    public static TabletState tablet(
            long id,
            long cellId,
            KeyRange range,
            long bytes,
            long rows,
            long fileBytes,
            long pinnedBytes,
            MountState state,
            TabletCounters counters) {
        return new TabletState(
                id,
                cellId,
                range,
                bytes,
                rows,
                0,
                0,
                0,
                0,
                0,
                0,
                0,
                0,
                0,
                0,
                fileBytes,
                pinnedBytes,
                state,
                counters);
    }

    private static TabletState with(TabletState tablet, KeyRange range) {
        return tablet(
                tablet.tabletId(),
                tablet.cellId(),
                range,
                tablet.bytes(),
                tablet.rows(),
                tablet.fileBytes(),
                tablet.pinnedBytes(),
                tablet.mountState(),
                tablet.counters());
    }

    public static Bytes key(long number) {
        return KeyCodec.encode(List.of(Primitive.UINT64), Value.of(number));
    }

    public static String text(Bytes key) {
        return ((Value.Int) KeyCodec.decode(List.of(Primitive.UINT64), key)[0]).value() + "";
    }

    List<Long> tableIds() {
        return List.copyOf(tables.keySet());
    }

    public ClusterState state() {
        if (bundles.isEmpty()) {
            add("bundle default cells=1,2");
        }
        var state =
                new ClusterState(
                        tables.values().stream()
                                .map(
                                        drawn ->
                                                new TableState(
                                                        drawn.table(),
                                                        drawn.bundle(),
                                                        drawn.balancer(),
                                                        drawn.tablets()))
                                .toList(),
                        cells,
                        bundles,
                        List.of(),
                        config,
                        Optional.empty());
        return due.isEmpty() ? state : state.withDue(due);
    }

    @Override
    public List<SizePoint> sizes(long tabletId, int count) {
        @Nullable List<SizePoint> drawn = points.get(tabletId);
        if (drawn != null) {
            return drawn;
        }
        List<SizePoint> even = new ArrayList<>();
        long first = places.get(tabletId) * WIDTH;
        for (int index = 1; index < count; index++) {
            long number = first + WIDTH * index / count;
            if (even.isEmpty() || even.getLast().key().compareTo(key(number)) < 0) {
                even.add(new SizePoint(key(number), (double) index / count));
            }
        }
        return even;
    }

    @Override
    public List<KeySample> samples(long tabletId) {
        throw new AssertionError("the policy asks for no samples");
    }
}
