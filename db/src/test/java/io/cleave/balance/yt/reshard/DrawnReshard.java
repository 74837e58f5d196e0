package io.cleave.balance.yt.reshard;

import static org.assertj.core.api.Assertions.assertThat;

import io.cleave.balance.yt.settings.BundleSettings;
import io.cleave.balance.yt.settings.TableSettings;
import io.cleave.schema.MountState;
import io.cleave.testkit.DataDriven;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Set;

/// A table as a text test draws it: the sizes of its tablets, and its settings.
///
/// `sizes=50,3x100,7:frozen` are five tablets; sizes are in units of `unit` bytes, 1 MB by default.
/// `metrics` and `compressed` are lists in the same form. A key `table.x`, `bundle.x` or
/// `cluster.x` is a setting.
final class DrawnReshard {
    private static final Set<String> OWN =
            Set.of(
                    "sizes",
                    "unit",
                    "metrics",
                    "compressed",
                    "partitions",
                    "memory",
                    "cells",
                    "ordered",
                    "off",
                    "trigger");

    private final Map<String, String> args;
    private final long unit;

    DrawnReshard(DataDriven.Command command) {
        args = command.args();
        unit = Long.parseLong(args.getOrDefault("unit", "1048576"));
        for (String key : args.keySet()) {
            assertThat(OWN.contains(key) || key.matches("(table|bundle|cluster)\\.[a-z_]+"))
                    .as("line %d: %s", command.line(), key)
                    .isTrue();
        }
    }

    ReshardTable table() {
        String memory = args.getOrDefault("memory", "none").toUpperCase(Locale.ROOT);
        return new ReshardTable(
                !args.containsKey("ordered"),
                InMemoryMode.valueOf(memory),
                tableSettings(),
                bundleSettings(),
                Integer.parseInt(args.getOrDefault("cells", "4")),
                tablets());
    }

    ReshardOptions options() {
        return new ReshardOptions(
                number("cluster.min_desired_tablet_size").orElse(0) * unit,
                args.containsKey("cluster.ignore_tablet_to_cell_ratio"),
                !args.containsKey("cluster.no_pivot_keys"));
    }

    Trigger trigger() {
        String trigger = args.getOrDefault("trigger", "round").toUpperCase(Locale.ROOT);
        return Trigger.valueOf(trigger);
    }

    boolean isOff(String what) {
        return args.getOrDefault("off", "").equals(what);
    }

    private List<ReshardTablet> tablets() {
        List<String> sizes = list("sizes");
        List<String> compressed = list("compressed");
        List<String> metrics = list("metrics");
        List<ReshardTablet> tablets = new ArrayList<>();
        for (int index = 0; index < sizes.size(); index++) {
            String[] words = sizes.get(index).split(":");
            long bytes = Long.parseLong(words[0]) * unit;
            tablets.add(
                    new ReshardTablet(
                            index,
                            words.length == 1
                                    ? MountState.MOUNTED
                                    : MountState.valueOf(words[1].toUpperCase(Locale.ROOT)),
                            compressed.isEmpty()
                                    ? bytes
                                    : Long.parseLong(compressed.get(index)) * unit,
                            bytes,
                            Integer.parseInt(args.getOrDefault("partitions", "2")),
                            metrics.isEmpty() ? 0 : Double.parseDouble(metrics.get(index))));
        }
        return tablets;
    }

    /// A list with its repetitions written out: `2x5,7` is 5, 5, 7.
    private List<String> list(String key) {
        List<String> all = new ArrayList<>();
        if (args.containsKey(key)) {
            for (String word : args.get(key).split(",")) {
                String[] parts = word.split("x");
                int times = parts.length == 1 ? 1 : Integer.parseInt(parts[0]);
                for (int time = 0; time < times; time++) {
                    all.add(parts[parts.length - 1]);
                }
            }
        }
        return all;
    }

    private TableSettings tableSettings() {
        TableSettings base = TableSettings.DEFAULT;
        return new TableSettings(
                !isOff("table"),
                base.enableAutoTabletMove(),
                size("table.min_tablet_size"),
                size("table.desired_tablet_size"),
                size("table.max_tablet_size"),
                count("table.desired_tablet_count"),
                count("table.min_tablet_count"),
                base.enableVerboseLogging(),
                base.enableParameterized(),
                base.group(),
                args.containsKey("table.desired_tablet_metric")
                        ? OptionalDouble.of(
                                Double.parseDouble(args.get("table.desired_tablet_metric")))
                        : OptionalDouble.empty(),
                base.replicaPathOverrides(),
                base.enableSmoothMovement());
    }

    private BundleSettings bundleSettings() {
        BundleSettings base = BundleSettings.DEFAULT;
        return new BundleSettings(
                !isOff("bundle"),
                base.enableInMemoryCellBalancer(),
                base.enableCellBalancer(),
                base.enableStandaloneTabletBalancer(),
                base.compatEnableTabletCellSmoothing(),
                size("bundle.min_tablet_size").orElse(base.minTabletSize()),
                size("bundle.desired_tablet_size").orElse(base.desiredTabletSize()),
                size("bundle.max_tablet_size").orElse(base.maxTabletSize()),
                size("bundle.min_in_memory_tablet_size").orElse(base.minInMemoryTabletSize()),
                size("bundle.desired_in_memory_tablet_size")
                        .orElse(base.desiredInMemoryTabletSize()),
                size("bundle.max_in_memory_tablet_size").orElse(base.maxInMemoryTabletSize()),
                Optional.ofNullable(args.get("bundle.tablet_to_cell_ratio"))
                        .map(Double::parseDouble)
                        .orElse(base.tabletToCellRatio()),
                base.softInMemoryCellBalanceThreshold(),
                base.hardInMemoryCellBalanceThreshold(),
                base.tabletBalancerSchedule(),
                base.enableVerboseLogging(),
                base.enableParameterizedByDefault(),
                base.defaultInMemoryGroup(),
                base.groups(),
                base.enablePickPivotKeys(),
                base.safeUsedTabletStaticRatio(),
                base.enableSmoothMovement());
    }

    private OptionalLong number(String key) {
        return args.containsKey(key)
                ? OptionalLong.of(Long.parseLong(args.get(key)))
                : OptionalLong.empty();
    }

    private OptionalLong size(String key) {
        OptionalLong number = number(key);
        return number.isPresent() ? OptionalLong.of(number.getAsLong() * unit) : number;
    }

    private OptionalInt count(String key) {
        OptionalLong number = number(key);
        return number.isPresent() ? OptionalInt.of((int) number.getAsLong()) : OptionalInt.empty();
    }
}
