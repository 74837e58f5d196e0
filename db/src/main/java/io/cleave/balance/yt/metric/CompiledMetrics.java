package io.cleave.balance.yt.metric;

import io.cleave.balance.TableState;
import io.cleave.balance.TabletState;
import io.cleave.schema.MountState;
import io.cleave.yt.error.YtException;

import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/// Computes the metrics of tables. An expression is compiled once, and kept while a round uses it.
///
/// Threads: one at a time.
public final class CompiledMetrics {
    /// The metric of a group that sets none.
    public static final String DEFAULT =
            "double([/performance_counters/dynamic_row_write_data_weight_10m_rate])";

    /// Rates that have been measured for less time say little.
    static final double LEAST_SECONDS = 300;

    /// The greatest metric of a tablet. Sums of squares of greater ones may have no value.
    private static final double MOST_METRIC = 1e100;

    private final MetricLanguage language;
    private final Map<String, Compiled> compiled = new HashMap<>();

    /// The texts that were used since the last call of [#endRound].
    private final Set<String> used = new HashSet<>();

    public CompiledMetrics(MetricLanguage language) {
        this.language = language;
    }

    private sealed interface Compiled {
        record Metric(TabletMetric metric) implements Compiled {}

        record Broken(String why) implements Compiled {}
    }

    /// The metrics of the tablets of a group's tables.
    public sealed interface OfGroup {
        /// By table id, and in it by the place of the tablet in the table.
        record Known(Map<Long, double[]> byTable) implements OfGroup {}

        /// There are none for a reason that a user should know.
        ///
        /// @param error what a user has to do something about, the same each time; empty if it
        ///   passes by itself
        record Unknown(String why, String error) implements OfGroup {}
    }

    /// The metric with this text, of these tables.
    ///
    /// @param text empty for the default
    public OfGroup of(String text, List<TableState> tables) {
        String given = text.isEmpty() ? DEFAULT : text;
        used.add(given);
        return switch (compiled.computeIfAbsent(given, this::compile)) {
            case Compiled.Broken(String why) ->
                    new OfGroup.Unknown("metric: " + why, "metric: " + why);
            case Compiled.Metric(TabletMetric metric) -> {
                if (metric.hasRates() && !isMeasured(tables)) {
                    yield new OfGroup.Unknown(
                            "metric: its rates have been measured for less than 5 minutes", "");
                }
                yield of(metric, tables);
            }
        };
    }

    private Compiled compile(String text) {
        try {
            return new Compiled.Metric(language.compile(text));
        } catch (YtException broken) {
            return new Compiled.Broken(broken.error().text());
        }
    }

    /// New tables do not make a group wait that has others.
    private static boolean isMeasured(List<TableState> tables) {
        for (TableState table : tables) {
            for (TabletState tablet : table.tablets()) {
                if (tablet.counters().measuredSeconds() >= LEAST_SECONDS) {
                    return true;
                }
            }
        }
        return false;
    }

    private static OfGroup of(TabletMetric metric, List<TableState> tables) {
        Map<Long, double[]> byTable = new HashMap<>();
        for (TableState table : tables) {
            List<TabletState> tablets = table.tablets();
            double[] values = new double[tablets.size()];
            for (int place = 0; place < values.length; place++) {
                TabletState tablet = tablets.get(place);
                try {
                    values[place] =
                            tablet.mountState() == MountState.UNMOUNTED ? 0 : metric.of(tablet);
                } catch (YtException failed) {
                    return unknown(tablet, failed.error().text(), "");
                }
                if (!(values[place] >= 0) || Double.isInfinite(values[place])) {
                    return unknown(
                            tablet, "Tablet metric must be nonnegative", ", got " + values[place]);
                }
                if (values[place] > MOST_METRIC) {
                    return unknown(
                            tablet,
                            "Tablet metric is too large",
                            ": got %s, limit %s".formatted(values[place], MOST_METRIC));
                }
            }
            byTable.put(table.table().id(), values);
        }
        return new OfGroup.Known(byTable);
    }

    private static OfGroup unknown(TabletState tablet, String error, String figures) {
        return new OfGroup.Unknown(
                "metric of tablet %d: %s%s".formatted(tablet.tabletId(), error, figures),
                "metric: " + error);
    }

    /// Drops the expressions that no group has any more.
    public void endRound() {
        compiled.keySet().retainAll(used);
        used.clear();
    }
}
