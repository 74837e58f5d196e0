package io.cleave.bench.query;

import io.cleave.bench.TableText;

import org.jspecify.annotations.Nullable;

import java.io.PrintStream;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// The figures of a run and its bars, as a table. A bar without measured figures is missed.
final class Bars {
    static final String CLEAVE = "Cleave";
    static final String ECHO = "echo";
    static final String POSTGRES = "PostgreSQL";
    static final String H2 = "H2";

    private static final List<String> COLUMNS = List.of(CLEAVE, ECHO, POSTGRES, H2);
    private static final String NOT_MEASURED = "not measured";

    private final PrintStream progress;
    private final List<Work> works = new ArrayList<>();

    /// Each figure is printed to `progress` as soon as it is known.
    Bars(PrintStream progress) {
        this.progress = progress;
    }

    Work work(String title, String unit) {
        var work = new Work(title, unit);
        works.add(work);
        return work;
    }

    /// One kind of work, with the figures of all systems that do it.
    final class Work {
        private final String title;
        private final String unit;
        private final Map<String, Double> values = new LinkedHashMap<>();
        private final Map<String, String> notes = new LinkedHashMap<>();
        private final List<Bar> bars = new ArrayList<>();

        private Work(String title, String unit) {
            this.title = title;
            this.unit = unit;
        }

        void figure(String of, double value, String note) {
            values.put(of, value);
            notes.put(of, note);
            progress.printf("%-10s %s: %s %s%n", of, title, text(of), unit);
        }

        /// Cleave's figure must be at most `limit` times the yardstick's.
        Work atMost(double limit, String yardstick) {
            bars.add(new Bar(yardstick, false, limit));
            return this;
        }

        Work atLeast(double limit, String yardstick) {
            bars.add(new Bar(yardstick, true, limit));
            return this;
        }

        /// Cleave's figure itself must be at most `limit`.
        Work atMost(double limit) {
            bars.add(new Bar(null, false, limit));
            return this;
        }

        Work atLeast(double limit) {
            bars.add(new Bar(null, true, limit));
            return this;
        }

        private String text(String of) {
            Double value = values.get(of);
            if (value == null) {
                return "-";
            }
            String note = notes.getOrDefault(of, "");
            return TableText.number(value) + (note.isEmpty() ? "" : " (" + note + ")");
        }

        /// NaN if one of the two was not measured; NaN meets no bar.
        private double ratio(Bar bar) {
            double ours = values.getOrDefault(CLEAVE, Double.NaN);
            return bar.yardstick() == null
                    ? ours
                    : ours / values.getOrDefault(bar.yardstick(), Double.NaN);
        }

        private boolean met(Bar bar) {
            double ratio = ratio(bar);
            return bar.atLeast() ? ratio >= bar.limit() : ratio <= bar.limit();
        }

        private List<List<String>> lines() {
            List<String> figures = new ArrayList<>(List.of(title, unit));
            COLUMNS.forEach(column -> figures.add(text(column)));
            if (bars.isEmpty()) {
                figures.addAll(List.of("", "", ""));
                return List.of(figures);
            }
            List<List<String>> lines = new ArrayList<>();
            for (Bar bar : bars) {
                List<String> line = new ArrayList<>(figures);
                if (!lines.isEmpty()) {
                    line.replaceAll(_ -> "");
                }
                line.addAll(List.of(ratioText(bar), bar.text(), met(bar) ? "met" : "missed"));
                lines.add(line);
            }
            return lines;
        }

        private String ratioText(Bar bar) {
            double ratio = ratio(bar);
            if (Double.isNaN(ratio)) {
                return NOT_MEASURED;
            }
            return TableText.number(ratio) + (bar.yardstick() == null ? "" : " x " + bar.yardstick);
        }
    }

    private record Bar(@Nullable String yardstick, boolean atLeast, double limit) {
        String text() {
            String number = limit >= 100 ? TableText.number(limit) : String.valueOf(limit);
            return (atLeast ? ">= " : "<= ") + number;
        }
    }

    String text() {
        List<String> header = new ArrayList<>(List.of("work", "in"));
        header.addAll(COLUMNS);
        header.addAll(List.of("ratio", "bar", ""));
        List<List<String>> lines = new ArrayList<>(List.of(header));
        works.forEach(work -> lines.addAll(work.lines()));
        return TableText.aligned(lines);
    }

    private long metCount() {
        return works.stream().mapToLong(work -> work.bars.stream().filter(work::met).count()).sum();
    }

    private long missedCount() {
        return works.stream().mapToLong(work -> work.bars.size()).sum() - metCount();
    }

    boolean allMet() {
        return missedCount() == 0;
    }

    /// The last line of the benchmark.
    String sum() {
        return "bars: " + metCount() + " met, " + missedCount() + " missed";
    }
}
