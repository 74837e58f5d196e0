package io.cleave.bench.query;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

class BarsTest {
    private final ByteArrayOutputStream progress = new ByteArrayOutputStream();
    private final Bars bars = new Bars(new PrintStream(progress, true, StandardCharsets.UTF_8));

    @Test
    void aWorkWithTwoYardsticksHasTwoBars() {
        Bars.Work work = bars.work("point select", "us");
        work.atMost(1.6, Bars.ECHO).atMost(1.0, Bars.POSTGRES);
        work.figure(Bars.CLEAVE, 30, "900/s");
        work.figure(Bars.ECHO, 20, "");
        work.figure(Bars.POSTGRES, 25, "");

        assertThat(bars.allMet()).isFalse();
        assertThat(bars.sum()).isEqualTo("bars: 1 met, 1 missed");
        assertThat(lines())
                .containsExactly(
                        "| work | in | Cleave | echo | PostgreSQL | H2 | ratio | bar | |",
                        "| --- | --- | --- | --- | --- | --- | --- | --- | --- |",
                        "| point select | us | 30.0 (900/s) | 20.0 | 25.0 | - | 1.50 x echo |"
                                + " <= 1.6 | met |",
                        "| | | | | | | 1.20 x PostgreSQL | <= 1.0 | missed |");
        assertThat(progress.toString(StandardCharsets.UTF_8))
                .startsWith("Cleave     point select: 30.0 (900/s) us");
    }

    @Test
    void whatWasNotMeasuredIsMissed() {
        Bars.Work work = bars.work("upsert", "per second").atLeast(1.0, Bars.POSTGRES);
        work.figure(Bars.CLEAVE, 1000, "");

        assertThat(bars.sum()).isEqualTo("bars: 0 met, 1 missed");
        assertThat(lines()[2]).endsWith("| not measured | >= 1.0 | missed |");
    }

    @Test
    void aFigureMayBeComparedWithANumber() {
        bars.work("bulk", "rows").atLeast(200_000).figure(Bars.CLEAVE, 250_000, "");
        bars.work("compile", "ms").atMost(1).figure(Bars.CLEAVE, 2, "");

        assertThat(bars.sum()).isEqualTo("bars: 1 met, 1 missed");
        assertThat(lines()[2]).endsWith("| 250,000 | >= 200,000 | met |");
    }

    @Test
    void aWorkWithoutABarIsShownAndNotCounted() {
        bars.work("upsert, 1 client", "per second").figure(Bars.CLEAVE, 500, "");

        assertThat(bars.allMet()).isTrue();
        assertThat(bars.sum()).isEqualTo("bars: 0 met, 0 missed");
    }

    private String[] lines() {
        return Arrays.stream(bars.text().split("\n"))
                .map(line -> line.replaceAll("-{3,}", "---").replaceAll(" +", " "))
                .toArray(String[]::new);
    }
}
