package io.cleave.balance.yt;

import io.cleave.balance.TableState;
import io.cleave.balance.yt.metric.CompiledMetrics;
import io.cleave.balance.yt.metric.CompiledMetrics.OfGroup;
import io.cleave.balance.yt.move.BundleLoad;
import io.cleave.balance.yt.move.MetricMoveOptions;
import io.cleave.balance.yt.move.MetricMoves;
import io.cleave.balance.yt.move.MovePlan;
import io.cleave.balance.yt.settings.BundleSettings;
import io.cleave.balance.yt.settings.GroupSettings;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Predicate;

/// The groups of a bundle that are balanced by a metric, with the metrics of their tablets.
///
/// A group whose metric has no value for one of its tablets is left alone as a whole.
final class MetricGroups {
    private final BundleSettings bundle;

    private final CompiledMetrics metrics;

    /// By the name of the group. Groups without tables are not there.
    private final Map<String, List<TableState>> members = new LinkedHashMap<>();

    /// Computed when they are needed.
    private final Map<String, OfGroup> known = new HashMap<>();

    MetricGroups(BundleSettings bundle, Collection<BalancedTable> tables, CompiledMetrics metrics) {
        this.bundle = bundle;
        this.metrics = metrics;
        for (BalancedTable table : tables) {
            if (table.isByMetric(bundle)) {
                members.computeIfAbsent(table.groupName(), _ -> new ArrayList<>())
                        .add(table.state());
            }
        }
    }

    private OfGroup ofGroup(String name) {
        return known.computeIfAbsent(
                name,
                _ ->
                        metrics.of(
                                settings(name).parameterized().metric(),
                                Objects.requireNonNull(members.get(name))));
    }

    private GroupSettings settings(String group) {
        return Objects.requireNonNull(bundle.groups().get(group));
    }

    /// Why the group of the table is left alone; empty if it is not, or not balanced by a metric.
    Optional<String> problem(BalancedTable table) {
        return table.isByMetric(bundle)
                        && ofGroup(table.groupName()) instanceof OfGroup.Unknown(String why, _)
                ? Optional.of(text(table.groupName(), why))
                : Optional.empty();
    }

    private static String text(String group, String why) {
        return "group '%s': %s".formatted(group, why);
    }

    /// Why groups have no metrics, if a user has to do something about it.
    List<String> errors(Predicate<String> isDue) {
        List<String> errors = new ArrayList<>();
        for (String name : members.keySet()) {
            if (isDue.test(name)
                    && ofGroup(name) instanceof OfGroup.Unknown(_, String error)
                    && !error.isEmpty()) {
                errors.add(text(name, error));
            }
        }
        return errors;
    }

    /// The metrics of a table's tablets, by their places; null if it has none.
    double @Nullable [] metrics(BalancedTable table) {
        return table.isByMetric(bundle)
                        && ofGroup(table.groupName())
                                instanceof OfGroup.Known(Map<Long, double[]> byTable)
                ? byTable.get(table.id())
                : null;
    }

    /// The moves in each group that is due and has its metrics.
    Map<String, MovePlan> plans(BundleLoad load, Predicate<String> isDue) {
        Map<String, MovePlan> plans = new LinkedHashMap<>();
        for (String name : members.keySet()) {
            if (isDue.test(name) && ofGroup(name) instanceof OfGroup.Known) {
                GroupSettings group = settings(name);
                MetricMoveOptions options =
                        MetricMoveOptions.DEFAULT.of(
                                group.parameterized(), bundle.safeUsedTabletStaticRatio());
                plans.put(name, MetricMoves.plan(load, name, group, options));
            }
        }
        return plans;
    }
}
