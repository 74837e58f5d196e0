package io.cleave.bench.storage;

import io.cleave.bench.TableText;
import io.cleave.bench.storage.Results.Measured;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.OptionalDouble;

/// The results as a Markdown table that is also readable on a terminal. It has a line for each bar
/// and for each work without one, and below it the number of met bars.
final class BarsTable {
    private static final List<String> ENGINES = List.of(Bar.OURS, "RocksDB", "LMDB");
    private static final String NOT_MEASURED = "not measured";

    private final Results results;
    private final Collection<Work> works;
    private final List<Bar> bars;

    /// Shows these works, with their bars.
    BarsTable(Results results, Collection<Work> works) {
        this.results = results;
        this.works = works;
        bars = Bar.ALL.stream().filter(bar -> works.contains(bar.work())).toList();
    }

    boolean allMet() {
        return met() == bars.size();
    }

    /// The last line of the benchmark.
    String sum() {
        return "bars: " + met() + " met, " + (bars.size() - met()) + " missed";
    }

    private long met() {
        return bars.stream().filter(bar -> bar.met(results)).count();
    }

    String text() {
        List<List<String>> lines = new ArrayList<>();
        lines.add(header());
        for (Work work : works) {
            List<Bar> ofWork = bars.stream().filter(bar -> bar.work() == work).toList();
            if (ofWork.isEmpty()) {
                lines.add(lineWithoutBar(work));
            }
            for (Bar bar : ofWork) {
                lines.add(line(bar, !bar.equals(ofWork.getFirst())));
            }
        }
        return TableText.aligned(lines);
    }

    private static List<String> header() {
        List<String> header = new ArrayList<>(List.of("work", "in"));
        header.addAll(ENGINES);
        header.addAll(List.of("ratio", "bar", ""));
        return header;
    }

    private List<String> figures(Work work) {
        List<String> line = new ArrayList<>(List.of(work.title, work.unit.text));
        ENGINES.forEach(engine -> line.add(figure(work, engine)));
        return line;
    }

    private List<String> lineWithoutBar(Work work) {
        List<String> line = figures(work);
        line.addAll(List.of("", "", ""));
        return line;
    }

    private List<String> line(Bar bar, boolean sameWork) {
        List<String> line = figures(bar.work());
        if (sameWork) {
            line.replaceAll(_ -> "");
        }
        OptionalDouble ratio = bar.ratio(results);
        String of = bar.yardstick() == null ? "" : " x " + bar.yardstick();
        line.add(ratio.isEmpty() ? NOT_MEASURED : TableText.number(ratio.getAsDouble()) + of);
        line.add(bar.sense().sign + " " + bar.limit());
        line.add(bar.met(results) ? "met" : "missed");
        return line;
    }

    private String figure(Work work, String engine) {
        return results.find(work, engine)
                .map(BarsTable::figure)
                .orElse(engine.equals(Bar.OURS) ? NOT_MEASURED : "-");
    }

    static String figure(Measured measured) {
        String beside = Double.isNaN(measured.beside()) ? "" : TableText.number(measured.beside());
        if (!measured.note().isEmpty()) {
            beside += "; " + measured.note();
        }
        return TableText.number(measured.value()) + (beside.isEmpty() ? "" : " (" + beside + ")");
    }
}
