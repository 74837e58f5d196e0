package io.cleave.bench;

import java.io.PrintStream;
import java.util.ArrayList;
import java.util.List;

/// The figures of `bench bookkeeper` with their yardsticks and bars, as a table.
final class BookKeeperBars {
    private final PrintStream progress;
    private final List<List<String>> lines = new ArrayList<>();
    private int met;
    private int missed;

    /// Each figure is printed to `progress` as soon as it is known.
    BookKeeperBars(PrintStream progress) {
        this.progress = progress;
        lines.add(List.of("work", "in", "Cleave", "yardstick", "ratio", "bar", ""));
    }

    /// A figure without a bar.
    void tell(String work, String unit, double value, String yardstick) {
        add(work, unit, TableText.number(value), yardstick, "", "", "");
    }

    /// The figure must be at least `limit` times the yardstick's.
    void atLeast(double limit, String work, String unit, double value, Yardstick yardstick) {
        compare(value / yardstick.value >= limit, ">= " + limit, work, unit, value, yardstick);
    }

    /// The figure must be at most `limit` times the yardstick's.
    void atMost(double limit, String work, String unit, double value, Yardstick yardstick) {
        compare(value / yardstick.value <= limit, "<= " + limit, work, unit, value, yardstick);
    }

    /// The figure itself must be at most `limit`.
    void atMost(double limit, String work, String unit, double value) {
        String verdict = verdict(value <= limit);
        add(work, unit, TableText.number(value), "", "", "<= " + limit, verdict);
    }

    /// What the figure is compared with.
    record Yardstick(String name, double value) {}

    private void compare(
            boolean good, String bar, String work, String unit, double value, Yardstick yardstick) {
        add(
                work,
                unit,
                TableText.number(value),
                yardstick.name + " " + TableText.number(yardstick.value),
                TableText.number(value / yardstick.value),
                bar,
                verdict(good));
    }

    private String verdict(boolean good) {
        met += good ? 1 : 0;
        missed += good ? 0 : 1;
        return good ? "met" : "missed";
    }

    private void add(String... cells) {
        lines.add(List.of(cells));
        progress.println(String.join("  ", cells).strip());
    }

    String text() {
        return TableText.aligned(lines);
    }

    /// The last line of the benchmark.
    String sum() {
        return "bars: " + met + " met, " + missed + " missed";
    }

    boolean allMet() {
        return missed == 0;
    }
}
