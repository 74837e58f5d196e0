package io.cleave.balance.yt.settings;

import io.cleave.value.YsonNode;

import java.util.List;
import java.util.Set;

/// The YSON form of the settings of a bundle: what a client sets is checked and stored as it is.
/// What is shown has the defaults, too.
///
/// The options from `enable_parameterized_by_default` on are checked only when the balancer reads
/// them: a client may set any value, even a broken one, and the bundle is then not balanced.
/// YTsaurus does it so, because its balancer may be newer than its master.
public final class BundleConfig {
    private static final BundleSettings DEFAULT = BundleSettings.DEFAULT;

    private static final OptionForm<BundleSettings> FORM =
            new OptionForm<>(
                    "Bundle has unparsable tablet balancer config",
                    BundleConfig::read,
                    BundleConfig::withDefaults);

    private BundleConfig() {}

    /// Throws unless a client may set this.
    public static void check(YsonNode given) {
        FORM.check(given);
    }

    /// The settings. Throws if an option that is checked only now is broken.
    public static BundleSettings read(YsonNode stored) {
        return FORM.read(stored);
    }

    /// What a client sees: the options with their defaults, then those that are not checked when
    /// they are set.
    public static YsonNode shown(YsonNode stored) {
        return FORM.shown(stored);
    }

    /// The names of the options that may stand at this path in the config: of a bundle at the empty
    /// path, of a group at `groups/NAME`, and so on. Empty if there are no options.
    public static Set<String> names(List<String> path) {
        if (path.isEmpty()) {
            return FORM.names();
        }
        return path.getFirst().equals("groups") && path.size() >= 2
                ? GroupConfig.names(path.subList(2, path.size()))
                : Set.of();
    }

    private static YsonNode withDefaults(OptionReader options) {
        BundleSettings settings = read(options, OptionReader.root(YsonNode.Members.EMPTY));
        var shown = YsonNode.map();
        shown.with("enable_tablet_size_balancer", settings.enableTabletSizeBalancer())
                .with("enable_in_memory_cell_balancer", settings.enableInMemoryCellBalancer())
                .with("enable_cell_balancer", settings.enableCellBalancer());
        if (settings.enableStandaloneTabletBalancer()) {
            shown.with("enable_standalone_tablet_balancer", true);
        }
        return shown.with(
                        "compat_enable_tablet_cell_smoothing",
                        settings.compatEnableTabletCellSmoothing())
                .with("min_tablet_size", settings.minTabletSize())
                .with("desired_tablet_size", settings.desiredTabletSize())
                .with("max_tablet_size", settings.maxTabletSize())
                .with("min_in_memory_tablet_size", settings.minInMemoryTabletSize())
                .with("desired_in_memory_tablet_size", settings.desiredInMemoryTabletSize())
                .with("max_in_memory_tablet_size", settings.maxInMemoryTabletSize())
                .with("tablet_to_cell_ratio", YsonNode.real(settings.tabletToCellRatio()))
                .with(
                        "soft_in_memory_cell_balance_threshold",
                        YsonNode.real(settings.softInMemoryCellBalanceThreshold()))
                .with(
                        "hard_in_memory_cell_balance_threshold",
                        YsonNode.real(settings.hardInMemoryCellBalanceThreshold()))
                .with("tablet_balancer_schedule", settings.tabletBalancerSchedule().text())
                .with("enable_verbose_logging", settings.enableVerboseLogging())
                .withAll(options.others())
                .build();
    }

    /// @param late has the options that are not checked when they are set
    private static BundleSettings read(OptionReader options, OptionReader late) {
        var settings =
                new BundleSettings(
                        options.flag(
                                "enable_tablet_size_balancer", DEFAULT.enableTabletSizeBalancer()),
                        options.flag(
                                "enable_in_memory_cell_balancer",
                                DEFAULT.enableInMemoryCellBalancer(),
                                "enable_in_memory_balancer"),
                        options.flag("enable_cell_balancer", DEFAULT.enableCellBalancer()),
                        options.flag(
                                "enable_standalone_tablet_balancer",
                                DEFAULT.enableStandaloneTabletBalancer()),
                        options.flag(
                                "compat_enable_tablet_cell_smoothing",
                                DEFAULT.compatEnableTabletCellSmoothing(),
                                "enable_tablet_cell_smoothing"),
                        options.size("min_tablet_size", DEFAULT.minTabletSize()),
                        options.size("desired_tablet_size", DEFAULT.desiredTabletSize()),
                        options.size("max_tablet_size", DEFAULT.maxTabletSize()),
                        options.size("min_in_memory_tablet_size", DEFAULT.minInMemoryTabletSize()),
                        options.size(
                                "desired_in_memory_tablet_size",
                                DEFAULT.desiredInMemoryTabletSize()),
                        options.size("max_in_memory_tablet_size", DEFAULT.maxInMemoryTabletSize()),
                        options.real("tablet_to_cell_ratio", DEFAULT.tabletToCellRatio()),
                        options.real(
                                "soft_in_memory_cell_balance_threshold",
                                DEFAULT.softInMemoryCellBalanceThreshold(),
                                "cell_balance_factor"),
                        options.real(
                                "hard_in_memory_cell_balance_threshold",
                                DEFAULT.hardInMemoryCellBalanceThreshold()),
                        options.formula("tablet_balancer_schedule"),
                        options.flag("enable_verbose_logging", DEFAULT.enableVerboseLogging()),
                        late.flag(
                                "enable_parameterized_by_default",
                                DEFAULT.enableParameterizedByDefault()),
                        late.text("default_in_memory_group"),
                        GroupConfig.groups(late),
                        late.flag("enable_pick_pivot_keys", DEFAULT.enablePickPivotKeys()),
                        late.real(
                                "safe_used_tablet_static_ratio",
                                DEFAULT.safeUsedTabletStaticRatio()),
                        late.flag("enable_smooth_movement"));
        check(settings, options);
        return settings;
    }

    private static void check(BundleSettings settings, OptionReader options) {
        if (!(settings.tabletToCellRatio() > 0)) {
            throw options.invalid(
                    "tablet_to_cell_ratio",
                    "Expected > 0, found " + OptionReader.shown(settings.tabletToCellRatio()));
        }
        double ratio = settings.safeUsedTabletStaticRatio();
        if (ratio < 0 || ratio > 1) {
            throw options.invalid(
                    "safe_used_tablet_static_ratio",
                    "Expected in range [0,1], found " + OptionReader.shown(ratio));
        }
        options.checkOrder(
                "min_tablet_size",
                settings.minTabletSize(),
                "desired_tablet_size",
                settings.desiredTabletSize());
        options.checkOrder(
                "desired_tablet_size",
                settings.desiredTabletSize(),
                "max_tablet_size",
                settings.maxTabletSize());
        checkLess(
                options,
                "min_in_memory_tablet_size",
                settings.minInMemoryTabletSize(),
                "desired_in_memory_tablet_size",
                settings.desiredInMemoryTabletSize());
        checkLess(
                options,
                "desired_in_memory_tablet_size",
                settings.desiredInMemoryTabletSize(),
                "max_in_memory_tablet_size",
                settings.maxInMemoryTabletSize());
        if (settings.softInMemoryCellBalanceThreshold()
                > settings.hardInMemoryCellBalanceThreshold()) {
            // The sentence is YTsaurus'.
            throw options.inconsistent(
                    "\"soft_in_memory_cell_balance_threshold\" must less than or equal to"
                            + " \"hard_in_memory_cell_balance_threshold\"");
        }
    }

    private static void checkLess(
            OptionReader options, String less, long low, String more, long high) {
        if (low >= high) {
            throw options.inconsistent("\"%s\" must be less than \"%s\"".formatted(less, more));
        }
    }
}
