package io.cleave.query.metric;

import static org.assertj.core.api.Assertions.assertThat;

import io.cleave.query.ManualEnv;

import org.junit.jupiter.api.Test;

import java.time.Duration;
import java.util.List;

class QueryMetricsTest {
    private final ManualEnv env = new ManualEnv();
    private final QueryMetrics metrics = new QueryMetrics(env);

    /// A client that never sends a text twice.
    private void runTexts(int count, String rest) {
        for (int number = 0; number < count; number++) {
            metrics.add(new Run(new QueryMeter(number + rest)), 1);
        }
    }

    @Test
    void longTextsOfAMinuteAreBounded() {
        runTexts(QueryMetrics.MAX_ACTIVE, "€".repeat(TopQueries.MAX_TEXT_CHARS));
        assertThat(metrics.bytes())
                .isBetween(
                        QueryMetrics.MAX_ACTIVE_BYTES,
                        QueryMetrics.MAX_ACTIVE_BYTES + 3L * TopQueries.MAX_TEXT_CHARS);
    }

    /// A short text takes more memory for its figures than for its characters.
    @Test
    void figuresOfShortTextsAreBounded() {
        for (int minute = 0; minute < 200; minute++) {
            runTexts(QueryMetrics.MAX_TEXTS, "");
            env.pass(Duration.ofMinutes(1));
        }
        assertThat(metrics.minutes()).hasSizeBetween(50, 150);
        assertThat(metrics.bytes()).isLessThanOrEqualTo(QueryMetrics.MAX_KEPT_BYTES);
    }

    private record Run(QueryMeter meter) implements MeteredRun {
        @Override
        public boolean changesScheme() {
            return false;
        }

        @Override
        public long compileMicros() {
            return 0;
        }

        @Override
        public boolean fromCache() {
            return false;
        }

        @Override
        public long micros() {
            return 1;
        }

        @Override
        public List<TableAccess> accesses() {
            return List.of();
        }

        @Override
        public long readBytes() {
            return 0;
        }

        @Override
        public QueryUse use(long durationMicros) {
            return new QueryUse(durationMicros, 1, 0, 0, 0, 0, 0, 0);
        }
    }
}
