package io.cleave.bench;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;

class FiguresTest {
    private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    private final Figures figures =
            new Figures(new PrintStream(bytes, true, StandardCharsets.UTF_8));

    @Test
    void barsAreCounted() {
        figures.printWithBarAtMost(1.5, "start-up", 0.61, "s");
        figures.printWithBarAtMost(1.5, "slow start-up", 1.51, "s");
        figures.print("reads", 12_345.6, "per second");

        assertThat(figures.finish()).isFalse();
        assertThat(printed())
                .containsExactly(
                        "start-up 0.61 s bar 1.50 met",
                        "slow start-up 1.51 s bar 1.50 missed",
                        "reads 12,346 per second",
                        "bars: 1 met, 1 missed");
    }

    @Test
    void withoutBarsThereIsNoSum() {
        figures.print("reads", 7, "per second");

        assertThat(figures.finish()).isTrue();
        assertThat(printed()).containsExactly("reads 7.00 per second");
    }

    private String[] printed() {
        return bytes.toString(StandardCharsets.UTF_8).replaceAll(" +", " ").split("\\R");
    }
}
