package io.cleave.balance.yt.metric;

import io.cleave.balance.TabletState;
import io.cleave.schema.TabletCounter;
import io.cleave.schema.TabletCounters.Window;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.ToDoubleFunction;
import java.util.function.ToLongFunction;

/// A figure of a tablet that an expression can name: `[/statistics/x]`, `[/performance_counters/x]`
/// as clients see them at a tablet, and short names of sums of rates, such as `write_10m`.
public sealed interface MetricColumn {
    String name();

    /// A whole number, not negative.
    record Whole(String name, ToLongFunction<TabletState> of) implements MetricColumn {}

    /// A number that need not be whole.
    ///
    /// @param isRate whether it is one over minutes
    record Real(String name, boolean isRate, ToDoubleFunction<TabletState> of)
            implements MetricColumn {}

    static List<MetricColumn> all() {
        List<MetricColumn> all = new ArrayList<>();
        statistics().forEach((name, of) -> all.add(new Whole("/statistics/" + name, of)));
        for (TabletCounter counter : TabletCounter.values()) {
            String name = "/performance_counters/" + counter.text();
            all.add(new Whole(name + "_count", tablet -> tablet.counters().count(counter)));
            for (Window window : Window.values()) {
                all.add(rate(name + "_" + window.text(), List.of(counter), window));
            }
        }
        shortNames()
                .forEach(
                        (name, counters) -> {
                            all.add(rate(name + "_10m", counters, Window.TEN_MINUTES));
                            all.add(rate(name + "_1h", counters, Window.HOUR));
                        });
        return all;
    }

    private static MetricColumn rate(String name, List<TabletCounter> counters, Window window) {
        return new Real(
                name,
                true,
                tablet -> {
                    double sum = 0;
                    for (TabletCounter counter : counters) {
                        sum += tablet.counters().perSecond(counter, window);
                    }
                    return sum;
                });
    }

    private static Map<String, ToLongFunction<TabletState>> statistics() {
        Map<String, ToLongFunction<TabletState>> statistics = new LinkedHashMap<>();
        statistics.put("compressed_data_size", TabletState::fileBytes);
        statistics.put("disk_space", TabletState::fileBytes);
        statistics.put("memory_size", TabletState::pinnedBytes);
        statistics.put("uncompressed_data_size", TabletState::bytes);
        statistics.put("unmerged_row_count", TabletState::rows);
        return statistics;
    }

    private static Map<String, List<TabletCounter>> shortNames() {
        Map<String, List<TabletCounter>> names = new LinkedHashMap<>();
        names.put("write", List.of(TabletCounter.DYNAMIC_ROW_WRITE_DATA_WEIGHT));
        names.put(
                "read",
                List.of(
                        TabletCounter.DYNAMIC_ROW_READ_DATA_WEIGHT,
                        TabletCounter.STATIC_CHUNK_ROW_READ_DATA_WEIGHT,
                        TabletCounter.STATIC_HUNK_CHUNK_ROW_READ_DATA_WEIGHT));
        names.put(
                "lookup",
                List.of(
                        TabletCounter.DYNAMIC_ROW_LOOKUP_DATA_WEIGHT,
                        TabletCounter.STATIC_CHUNK_ROW_LOOKUP_DATA_WEIGHT,
                        TabletCounter.STATIC_HUNK_CHUNK_ROW_LOOKUP_DATA_WEIGHT));
        names.put("lookup_cpu", List.of(TabletCounter.LOOKUP_CPU_TIME));
        names.put("select_cpu", List.of(TabletCounter.SELECT_CPU_TIME));
        return names;
    }
}
