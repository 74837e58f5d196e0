package io.cleave.balance.yt.move;

import static org.assertj.core.api.Assertions.assertThat;

import io.cleave.balance.yt.settings.BundleSettings;
import io.cleave.balance.yt.settings.GroupSettings;
import io.cleave.testkit.DataDriven;

import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;

/// A bundle as a text test draws it:
///
/// ```
/// node 1 limit=100 used=10 slots=2     (memory in MB; without such a line there is no limit)
/// cell 11 node=1
/// table 5 memory=1 group=g off=1
/// tablet 101 cell=11 table=5 metric=2.5 mb=10 state=unmounted
/// ```
///
/// Nodes and tables that are only named are made with the defaults.
final class DrawnBundle {
    private static final long MEGABYTE = 1 << 20;

    private final DataDriven.Command command;
    private final BundleLoad.Builder builder = new BundleLoad.Builder();
    private final Map<String, Map<String, String>> lines = new LinkedHashMap<>();
    private final Map<String, Integer> indexes = new HashMap<>();

    DrawnBundle(DataDriven.Command command) {
        this.command = command;
        for (String line : command.input()) {
            String[] words = line.split("\\s+");
            Map<String, String> values = new HashMap<>();
            for (int at = 2; at < words.length; at++) {
                String[] pair = words[at].split("=");
                values.put(pair[0], pair[1]);
            }
            assertThat(lines.put(words[0] + " " + words[1], values)).as(line).isNull();
        }
    }

    BundleLoad load() {
        lines.forEach(
                (name, values) -> {
                    long id = Long.parseLong(name.split(" ")[1]);
                    if (name.startsWith("cell")) {
                        int node = node(values.getOrDefault("node", "1"));
                        indexes.put(name, builder.addCell(id, node));
                    } else if (name.startsWith("tablet")) {
                        builder.addTablet(
                                id,
                                indexes.get("cell " + values.get("cell")),
                                table(values.getOrDefault("table", "1")),
                                Double.parseDouble(values.getOrDefault("metric", "0")),
                                Long.parseLong(values.getOrDefault("mb", "0")) * MEGABYTE,
                                !values.containsKey("state"));
                    }
                });
        return builder.build();
    }

    private int node(String id) {
        return indexes.computeIfAbsent(
                "node " + id,
                name -> {
                    Map<String, String> values = lines.get(name);
                    NodeMemory memory =
                            values == null
                                    ? NodeMemory.UNLIMITED
                                    : new NodeMemory(
                                            Long.parseLong(values.get("limit")) * MEGABYTE,
                                            Long.parseLong(values.getOrDefault("used", "0"))
                                                    * MEGABYTE,
                                            Integer.parseInt(values.getOrDefault("slots", "1")));
                    return builder.addNode(Integer.parseInt(id), memory);
                });
    }

    private int table(String id) {
        return indexes.computeIfAbsent(
                "table " + id,
                name -> {
                    Map<String, String> values = lines.getOrDefault(name, Map.of());
                    boolean isInMemory = values.containsKey("memory");
                    return builder.addTable(
                            new MovableTable(
                                    Long.parseLong(id),
                                    isInMemory,
                                    values.getOrDefault("group", defaultGroup(isInMemory)),
                                    !values.containsKey("off"),
                                    command.name().equals("metric")));
                });
    }

    private String defaultGroup(boolean isInMemory) {
        if (command.name().equals("metric")) {
            return BundleSettings.DEFAULT_GROUP;
        }
        return isInMemory ? BundleSettings.LEGACY_IN_MEMORY_GROUP : BundleSettings.LEGACY_GROUP;
    }

    MetricMoveOptions options() {
        return new MetricMoveOptions(
                (int) number("limit", 50),
                number("node_threshold", 0.1),
                number("cell_threshold", 0.1),
                number("min_improvement", 0),
                number("cell_factor", 1),
                number("node_factor", 1),
                number("table_cell_factor", 0),
                number("table_node_factor", 0),
                number("settled", 0),
                number("safe", 1));
    }

    GroupSettings group() {
        GroupSettings base = GroupSettings.DEFAULT;
        return new GroupSettings(
                !isOff("group"),
                base.enableReshard(),
                base.type(),
                base.schedule(),
                base.parameterized(),
                base.enableSmoothMovement());
    }

    private boolean isOff(String what) {
        return command.args().getOrDefault("off", "").equals(what);
    }

    BundleSettings bundle() {
        BundleSettings base = BundleSettings.DEFAULT;
        return new BundleSettings(
                base.enableTabletSizeBalancer(),
                !isOff("bundle"),
                !isOff("bundle"),
                base.enableStandaloneTabletBalancer(),
                base.compatEnableTabletCellSmoothing(),
                base.minTabletSize(),
                base.desiredTabletSize(),
                base.maxTabletSize(),
                base.minInMemoryTabletSize(),
                base.desiredInMemoryTabletSize(),
                base.maxInMemoryTabletSize(),
                base.tabletToCellRatio(),
                number("soft", base.softInMemoryCellBalanceThreshold()),
                number("hard", base.hardInMemoryCellBalanceThreshold()),
                base.tabletBalancerSchedule(),
                base.enableVerboseLogging(),
                base.enableParameterizedByDefault(),
                base.defaultInMemoryGroup(),
                isOff("group")
                        ? new LinkedHashMap<>(
                                Map.of(
                                        BundleSettings.LEGACY_GROUP,
                                        group(),
                                        BundleSettings.LEGACY_IN_MEMORY_GROUP,
                                        group()))
                        : base.groups(),
                base.enablePickPivotKeys(),
                base.safeUsedTabletStaticRatio(),
                base.enableSmoothMovement());
    }

    private double number(String key, double otherwise) {
        String value = command.args().get(key);
        return value == null ? otherwise : Double.parseDouble(value);
    }
}
