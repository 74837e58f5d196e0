package io.cleave.balance.yt.settings;

import java.util.Optional;

/// The group of its bundle that a table is balanced in.
public sealed interface GroupChoice {
    record Chosen(String name, GroupSettings group) implements GroupChoice {}

    /// The bundle has no group of this name, so the table is not balanced.
    record Absent(String name) implements GroupChoice {}

    /// Also if the bundle has no such group.
    String name();

    static GroupChoice of(TableSettings table, BundleSettings bundle, boolean isInMemory) {
        String name = name(table, bundle, isInMemory);
        return Optional.ofNullable(bundle.groups().get(name))
                .<GroupChoice>map(group -> new Chosen(name, group))
                .orElseGet(() -> new Absent(name));
    }

    private static String name(TableSettings table, BundleSettings bundle, boolean isInMemory) {
        if (table.group().isPresent()) {
            return table.group().get();
        }
        if (table.enableParameterized().orElse(bundle.enableParameterizedByDefault())) {
            return isInMemory
                    ? bundle.defaultInMemoryGroup().orElse(BundleSettings.DEFAULT_GROUP)
                    : BundleSettings.DEFAULT_GROUP;
        }
        return isInMemory ? BundleSettings.LEGACY_IN_MEMORY_GROUP : BundleSettings.LEGACY_GROUP;
    }

    /// Whether the tablets of the table are moved to make sizes and counts even.
    default boolean movesByLegacyRules(TableSettings table) {
        return table.enableAutoTabletMove()
                && this instanceof Chosen(_, GroupSettings group)
                && group.type() == GroupSettings.Type.LEGACY
                && group.enableMove();
    }

    /// Whether the tablets of the table are moved to make a metric even.
    default boolean movesByMetric(TableSettings table, BundleSettings bundle) {
        return table.enableAutoTabletMove()
                && isByMetric(table, bundle)
                && this instanceof Chosen(_, GroupSettings group)
                && group.enableMove();
    }

    /// Whether the tablets of the table are resharded by a metric.
    ///
    /// @param byDefault what applies if the group does not say it
    default boolean reshardsByMetric(
            TableSettings table, BundleSettings bundle, boolean byDefault) {
        boolean hasGoal =
                table.desiredTabletCount().isPresent() || table.desiredTabletMetric().isPresent();
        return table.enableAutoReshard()
                && hasGoal
                && isByMetric(table, bundle)
                && this instanceof Chosen(_, GroupSettings group)
                && group.enableReshard()
                && group.parameterized().enableReshard().orElse(byDefault);
    }

    /// Whether its group is balanced by a metric, and the table takes part.
    ///
    /// A table that names a group takes part unless it switches that off. In the default group it
    /// has to be switched on.
    default boolean isByMetric(TableSettings table, BundleSettings bundle) {
        if (!(this instanceof Chosen(String name, GroupSettings group))
                || group.type() != GroupSettings.Type.PARAMETERIZED) {
            return false;
        }
        boolean byDefault =
                !name.equals(BundleSettings.DEFAULT_GROUP) || bundle.enableParameterizedByDefault();
        return table.enableParameterized().orElse(byDefault);
    }
}
