package io.cleave.bench.storage;

import static org.assertj.core.api.Assertions.assertThat;

import io.cleave.bench.storage.Results.Measured;

import org.junit.jupiter.api.Test;

import java.util.Arrays;
import java.util.List;

class BarsTableTest {
    private final Results results = new Results();

    @Test
    void aWorkWithTwoYardsticksHasTwoBars() {
        results.put(Work.HIT, "Cleave", new Measured(2, 2.5, ""));
        results.put(Work.HIT, "RocksDB", new Measured(4, 4.5, ""));
        results.put(Work.HIT, "LMDB", new Measured(1.6, 1.7, ""));

        var table = new BarsTable(results, List.of(Work.HIT));

        assertThat(table.allMet()).isFalse();
        assertThat(table.sum()).isEqualTo("bars: 1 met, 1 missed");
        assertThat(lines(table))
                .containsExactly(
                        "| work | in | Cleave | RocksDB | LMDB | ratio | bar | |",
                        "| --- | --- | --- | --- | --- | --- | --- | --- |",
                        "| random point read, hit, cached | us CPU (wall) | 2.00 (2.50) |"
                                + " 4.00 (4.50) | 1.60 (1.70) | 0.500 x RocksDB | <= 0.45 | missed"
                                + " |",
                        "| | | | | | 1.25 x LMDB | <= 1.5 | met |");
    }

    @Test
    void whatWasNotMeasuredIsMissed() {
        results.put(Work.BULK, "RocksDB", new Measured(0.5));

        var table = new BarsTable(results, List.of(Work.BULK));

        assertThat(table.sum()).isEqualTo("bars: 0 met, 1 missed");
        assertThat(lines(table)[2])
                .contains("| not measured | 0.500 | - | not measured | <= 0.8 | missed |");
    }

    @Test
    void moreCommitsAreBetter() {
        results.put(Work.COMMITS_1, "Cleave", new Measured(1200, 30, "1.0 a sync"));
        results.put(Work.COMMITS_1, "RocksDB", new Measured(1000, 30, "1.0 a sync"));

        var table = new BarsTable(results, List.of(Work.COMMITS_1));

        assertThat(table.allMet()).isTrue();
        assertThat(lines(table)[2]).contains("| 1,200 (30.0; 1.0 a sync) |", "| 1.20 x RocksDB |");
    }

    @Test
    void aFigureMayBeARatioByItself() {
        results.put(Work.NARROW, "Cleave", new Measured(0.16));

        assertThat(new BarsTable(results, List.of(Work.NARROW)).sum())
                .isEqualTo("bars: 0 met, 1 missed");
    }

    @Test
    void aWorkWithoutABarIsShownAndNotCounted() {
        results.put(Work.READ_BESIDE, "Cleave", new Measured(1.5, 1.1, "p99 2 to 3 us"));

        var table = new BarsTable(results, List.of(Work.READ_BESIDE));

        assertThat(table.allMet()).isTrue();
        assertThat(table.sum()).isEqualTo("bars: 0 met, 0 missed");
        assertThat(lines(table)[2]).endsWith("| 1.50 (1.10; p99 2 to 3 us) | - | - | | | |");
    }

    private static String[] lines(BarsTable table) {
        return Arrays.stream(table.text().split("\n"))
                .map(line -> line.replaceAll("-{3,}", "---").replaceAll(" +", " "))
                .toArray(String[]::new);
    }
}
