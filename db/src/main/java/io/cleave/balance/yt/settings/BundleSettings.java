package io.cleave.balance.yt.settings;

import io.cleave.balance.yt.formula.Formula;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Optional;
import java.util.SequencedMap;
import java.util.Set;

/// The settings of a bundle. Sizes are in bytes.
///
/// @param tabletBalancerSchedule the formula of the bundle's own schedule; empty if the schedule of
///   the cluster applies
/// @param groups the groups by name; the three built-in ones are always among them
public record BundleSettings(
        boolean enableTabletSizeBalancer,
        boolean enableInMemoryCellBalancer,
        boolean enableCellBalancer,
        boolean enableStandaloneTabletBalancer,
        boolean compatEnableTabletCellSmoothing,
        long minTabletSize,
        long desiredTabletSize,
        long maxTabletSize,
        long minInMemoryTabletSize,
        long desiredInMemoryTabletSize,
        long maxInMemoryTabletSize,
        double tabletToCellRatio,
        double softInMemoryCellBalanceThreshold,
        double hardInMemoryCellBalanceThreshold,
        Formula tabletBalancerSchedule,
        boolean enableVerboseLogging,
        boolean enableParameterizedByDefault,
        Optional<String> defaultInMemoryGroup,
        SequencedMap<String, GroupSettings> groups,
        boolean enablePickPivotKeys,
        double safeUsedTabletStaticRatio,
        Optional<Boolean> enableSmoothMovement) {
    /// The built-in group of tables that are balanced by a metric and name no group.
    public static final String DEFAULT_GROUP = "default";

    /// The built-in group of tables that are balanced by sizes and counts.
    public static final String LEGACY_GROUP = "legacy";

    /// The built-in group of in-memory tables that are balanced by sizes.
    public static final String LEGACY_IN_MEMORY_GROUP = "legacy_in_memory";

    /// The groups that may be balanced by sizes and counts.
    static final Set<String> LEGACY_GROUPS = Set.of(LEGACY_GROUP, LEGACY_IN_MEMORY_GROUP);

    public static final BundleSettings DEFAULT =
            new BundleSettings(
                    true,
                    true,
                    false,
                    false,
                    true,
                    128L << 20,
                    10L << 30,
                    20L << 30,
                    512L << 20,
                    1L << 30,
                    2L << 30,
                    10_000,
                    0.05,
                    0.15,
                    Formula.EMPTY,
                    false,
                    false,
                    Optional.empty(),
                    new LinkedHashMap<>(),
                    true,
                    1,
                    Optional.empty());

    public BundleSettings {
        var all = new LinkedHashMap<>(groups);
        all.putIfAbsent(DEFAULT_GROUP, GroupSettings.DEFAULT);
        GroupSettings legacy = GroupSettings.ofType(GroupSettings.Type.LEGACY);
        all.putIfAbsent(LEGACY_GROUP, legacy);
        all.putIfAbsent(LEGACY_IN_MEMORY_GROUP, legacy);
        groups = Collections.unmodifiableSequencedMap(all);
    }
}
