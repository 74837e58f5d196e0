package io.cleave.yt.table.query;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cleave.balance.TabletState;
import io.cleave.balance.yt.metric.CompiledMetrics;
import io.cleave.balance.yt.metric.MetricColumn;
import io.cleave.schema.KeyRange;
import io.cleave.schema.MountState;
import io.cleave.schema.TabletCounter;
import io.cleave.schema.TabletCounters;
import io.cleave.schema.TabletCounters.Window;
import io.cleave.yt.error.YtException;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class MetricExpressionsTest {
    private static final TabletState TABLET = tablet();

    /// The n-th counter has the count n, and the rates n + 0.1, n + 0.2 and n + 0.3.
    private static TabletState tablet() {
        var counters = new TabletCounters.Builder();
        int number = 0;
        for (TabletCounter counter : TabletCounter.values()) {
            number++;
            counters.count(counter, number)
                    .rate(counter, Window.MINUTE, number + 0.1)
                    .rate(counter, Window.TEN_MINUTES, number + 0.2)
                    .rate(counter, Window.HOUR, number + 0.3);
        }
        return new TabletState(
                1,
                1,
                KeyRange.ALL,
                1000,
                20,
                0,
                0,
                0,
                0,
                0,
                0,
                0,
                0,
                0,
                0,
                300,
                40,
                MountState.MOUNTED,
                counters.build());
    }

    private static double value(String text) {
        return new MetricExpressions().compile(text).of(TABLET);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "1 | 1",
                "2.5 | 2.5",
                "18446744073709551615u | 18446744073709551616",
                "[/statistics/uncompressed_data_size] | 1000",
                "double([/statistics/compressed_data_size]) / 8 | 37.5",
                "[/statistics/disk_space] | 300",
                "[/statistics/memory_size] + [/statistics/unmerged_row_count] | 60",
                "[/performance_counters/dynamic_row_write_count] | 5",
                "[/performance_counters/dynamic_row_write_rate] | 5.1",
                "[/performance_counters/dynamic_row_write_10m_rate] | 5.2",
                "[/performance_counters/dynamic_row_write_1h_rate] | 5.3",
                "write_10m | 6.2",
                "write_1h | 6.3",
                "lookup_cpu_10m + 10. * select_cpu_1h | 178.2",
                "if([/statistics/memory_size] > 39, 7., 8.) | 7",
                "if([/statistics/memory_size] in (1, 40), 7, 8) | 7",
                "if(true or is_null(1), 3u, 4u) | 3",
            })
    void aMetricIsANumber(String text, double value) {
        assertThat(value(text)).isEqualTo(value);
    }

    @Test
    void shortNamesAreSumsOverMemoryAndFiles() {
        assertThat(
                        value(
                                "read_10m -"
                                    + " double([/performance_counters/dynamic_row_read_data_weight_10m_rate])"
                                    + " - double([/performance_counters/static_chunk_row_read_data_weight_10m_rate])"
                                    + " - double([/performance_counters/static_hunk_chunk_row_read_data_weight_10m_rate])"))
                .isEqualTo(0);
        assertThat(
                        value(
                                "lookup_1h -"
                                    + " double([/performance_counters/dynamic_row_lookup_data_weight_1h_rate])"
                                    + " - double([/performance_counters/static_chunk_row_lookup_data_weight_1h_rate])"
                                    + " - double([/performance_counters/static_hunk_chunk_row_lookup_data_weight_1h_rate])"))
                .isEqualTo(0);
    }

    @Test
    void everyColumnHasAValue() {
        for (MetricColumn column : MetricColumn.all()) {
            assertThat(value("[" + column.name() + "]")).as(column.name()).isPositive();
        }
    }

    @Test
    void theDefaultIsWhatIsWritten() {
        assertThat(value(CompiledMetrics.DEFAULT)).isEqualTo(value("write_10m"));
    }

    @Test
    void ratesAreKnown() {
        assertThat(new MetricExpressions().compile(CompiledMetrics.DEFAULT).hasRates()).isTrue();
        assertThat(new MetricExpressions().compile("1").hasRates()).isFalse();
        assertThat(new MetricExpressions().compile("[/statistics/memory_size]").hasRates())
                .isFalse();
        assertThat(
                        new MetricExpressions()
                                .compile("[/performance_counters/dynamic_row_write_count]")
                                .hasRates())
                .isFalse();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "'' | Error while parsing query",
                "x | Undefined reference \"x\"",
                "[/statistics/x] | Undefined reference \"/statistics/x\"",
                "sum(1) | Misuse of aggregate function \"sum\"",
                "f(1) | Undefined function \"f\"",
                "[/statistics/memory_size] > 1 | Tablet metric value type is not numerical: got"
                        + " \"boolean\"",
                "\"a\" | Tablet metric value type is not numerical: got \"string\"",
                "null | Tablet metric value type is not numerical: got \"null\"",
                "length(numeric_to_string([/statistics/memory_size])) | Tablet metric may calculate"
                        + " with numbers and booleans only",
                "sleep(1000) | Function \"sleep\" is not supported",
                "[/statistics/memory_size] + 0.5 | Type mismatch",
            })
    void aTextThatIsNoMetricIsRefused(String text, String problem) {
        assertThatThrownBy(() -> new MetricExpressions().compile(text))
                .isInstanceOf(YtException.class)
                .hasMessageContaining(problem);
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 4096, 4097})
    void theLengthIsLimited(int length) {
        String text = " ".repeat(length - 1) + "1";
        if (length <= MetricExpressions.MOST_TEXT) {
            assertThat(value(text)).isEqualTo(1);
        } else {
            assertThatThrownBy(() -> value(text))
                    .isInstanceOf(YtException.class)
                    .hasMessage("Tablet metric is too long: got 4097 characters, limit 4096");
        }
    }

    @Test
    void theDepthIsLimited() {
        assertThatThrownBy(() -> value("-(".repeat(60) + "1" + ")".repeat(60)))
                .isInstanceOf(YtException.class)
                .hasMessage("Maximum expression depth exceeded");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "(",
                "-",
                "not ",
                "!",
                "~",
                "1+",
                "1=",
                "f(",
                "if(1,",
                "double(",
                "case when ",
                "1 in (",
                "((1,",
                "[",
                "{",
                "`",
                "1 and ",
                "1 between ",
                "2.*",
                "1<<",
                "if(true, 1, ",
                "abs("
            })
    void longTextsOfOneKindAreNumbersOrErrors(String part) {
        int times = MetricExpressions.MOST_TEXT / 2 / part.length();
        for (String text :
                new String[] {
                    part.repeat(times),
                    part.repeat(times) + "1",
                    part.repeat(times / 2) + "1" + ")".repeat(times / 2),
                    part.repeat(20) + "1" + ")".repeat(20)
                }) {
            try {
                double _ = value(text);
            } catch (YtException refused) {
                assertThat(refused).hasMessageNotContaining("Exception");
            }
        }
    }

    @Test
    void aMetricMayHaveNoValueForATablet() {
        for (String text :
                new String[] {
                    "1 / ([/statistics/memory_size] - 40)",
                    "if([/statistics/memory_size] = 40, null, 1)"
                }) {
            assertThatThrownBy(() -> value(text)).as(text).isInstanceOf(YtException.class);
        }
    }
}
