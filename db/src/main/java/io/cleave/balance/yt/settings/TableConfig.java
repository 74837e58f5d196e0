package io.cleave.balance.yt.settings;

import io.cleave.value.YsonNode;
import io.cleave.value.YsonWriter;
import io.cleave.yt.error.YtCodes;
import io.cleave.yt.error.YtException;

import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.SequencedMap;
import java.util.Set;

/// The YSON form of the settings of a table: what a client sets is checked and stored as it is.
/// What is shown has the defaults of the switches, too.
///
/// The options from `enable_parameterized` on are checked only when the balancer reads them, as
/// those of a bundle are ([BundleConfig]).
public final class TableConfig {
    /// The greatest size of what is set. It is a part of the table's description, which is written
    /// anew with each change of the table.
    static final int MAX_BYTES = 64 << 10;

    private static final TableSettings DEFAULT = TableSettings.DEFAULT;

    private static final OptionForm<TableSettings> FORM =
            new OptionForm<>(
                    "Table has unparsable tablet balancer config",
                    TableConfig::read,
                    TableConfig::withDefaults);

    private TableConfig() {}

    /// Throws unless a client may set this.
    public static void check(YsonNode given) {
        int bytes = YsonWriter.write(given, YsonWriter.Format.BINARY).length();
        if (bytes > MAX_BYTES) {
            throw new YtException(
                    YtCodes.GENERIC,
                    "The balancer's config of a table may have %d bytes, and this one has %d"
                            .formatted(MAX_BYTES, bytes));
        }
        FORM.check(given);
    }

    /// The settings. Throws if an option that is checked only now is broken.
    public static TableSettings read(YsonNode stored) {
        return FORM.read(stored);
    }

    /// What a client sees.
    public static YsonNode shown(YsonNode stored) {
        return FORM.shown(stored);
    }

    /// The names of all options.
    public static Set<String> names() {
        return FORM.names();
    }

    private static YsonNode withDefaults(OptionReader options) {
        TableSettings settings = read(options, OptionReader.root(YsonNode.Members.EMPTY));
        var shown =
                YsonNode.map()
                        .with("enable_auto_tablet_move", settings.enableAutoTabletMove())
                        .with("enable_auto_reshard", settings.enableAutoReshard())
                        .with("enable_verbose_logging", settings.enableVerboseLogging());
        add(shown, "min_tablet_size", settings.minTabletSize());
        add(shown, "desired_tablet_size", settings.desiredTabletSize());
        add(shown, "max_tablet_size", settings.maxTabletSize());
        add(shown, "desired_tablet_count", asLong(settings.desiredTabletCount()));
        add(shown, "min_tablet_count", asLong(settings.minTabletCount()));
        return shown.withAll(options.others()).build();
    }

    private static void add(YsonNode.MapBuilder map, String name, OptionalLong value) {
        value.ifPresent(number -> map.with(name, number));
    }

    private static OptionalLong asLong(OptionalInt count) {
        return count.isPresent() ? OptionalLong.of(count.getAsInt()) : OptionalLong.empty();
    }

    /// @param late has the options that are not checked when they are set
    private static TableSettings read(OptionReader options, OptionReader late) {
        var settings =
                new TableSettings(
                        options.flag("enable_auto_reshard", DEFAULT.enableAutoReshard()),
                        options.flag("enable_auto_tablet_move", DEFAULT.enableAutoTabletMove()),
                        options.size("min_tablet_size"),
                        options.size("desired_tablet_size"),
                        options.size("max_tablet_size"),
                        options.count("desired_tablet_count", 0),
                        options.count("min_tablet_count", 1),
                        options.flag("enable_verbose_logging", DEFAULT.enableVerboseLogging()),
                        late.flag("enable_parameterized"),
                        late.text("group"),
                        late.real("desired_tablet_metric"),
                        replicaPaths(late),
                        late.flag("enable_smooth_movement"));
        check(settings, options);
        return settings;
    }

    private static SequencedMap<String, List<String>> replicaPaths(OptionReader late) {
        OptionReader clusters = late.map("replica_path_overrides");
        var paths = new LinkedHashMap<String, List<String>>();
        for (String cluster : clusters.names()) {
            List<String> ofCluster = clusters.texts(cluster);
            if (new HashSet<>(ofCluster).size() < ofCluster.size()) {
                throw late.inconsistent(
                        ("\"replica_aliases\" must contain unique paths for each cluster, but"
                                        + " cluster \"%s\" has two identical paths")
                                .formatted(cluster));
            }
            paths.put(cluster, ofCluster);
        }
        return paths;
    }

    private static void check(TableSettings settings, OptionReader options) {
        OptionalLong desired = settings.desiredTabletSize();
        checkOrder(
                options,
                "min_tablet_size",
                settings.minTabletSize(),
                "desired_tablet_size",
                desired);
        checkOrder(
                options,
                "desired_tablet_size",
                desired,
                "max_tablet_size",
                settings.maxTabletSize());
        checkOrder(
                options,
                "min_tablet_count",
                asLong(settings.minTabletCount()),
                "desired_tablet_count",
                asLong(settings.desiredTabletCount()));
    }

    private static void checkOrder(
            OptionReader options, String less, OptionalLong low, String more, OptionalLong high) {
        if (low.isPresent() && high.isPresent()) {
            options.checkOrder(less, low.getAsLong(), more, high.getAsLong());
        }
    }
}
