package io.cleave.query.metric;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

import java.util.ArrayList;
import java.util.List;

class QueryMeterTest {
    private record Run(QueryMeter meter, List<TableAccess> accesses, long micros)
            implements MeteredRun {
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
            return true;
        }

        @Override
        public long readBytes() {
            return accesses.stream().mapToLong(TableAccess::readBytes).sum();
        }

        @Override
        public QueryUse use(long durationMicros) {
            return new QueryUse(durationMicros, micros, 0, readBytes(), 0, 0, 0, 0);
        }
    }

    @Test
    void ofALongTextOnlyTheBeginningIsKept() {
        String text = "SELECT 1 -- " + "x".repeat(2 * TopQueries.MAX_TEXT_CHARS);
        assertThat(new QueryMeter(text).text())
                .isEqualTo(text.substring(0, TopQueries.MAX_TEXT_CHARS));
        String pairs = "SELECT 1--" + "😀".repeat(TopQueries.MAX_TEXT_CHARS);
        assertThat(new QueryMeter(pairs).text()).hasSize(TopQueries.MAX_TEXT_CHARS).endsWith("😀");
        assertThat(new QueryMeter("-" + pairs).text())
                .hasSize(TopQueries.MAX_TEXT_CHARS - 1)
                .endsWith("😀");
    }

    @Test
    void noRunIsLostBetweenThreads() throws InterruptedException {
        var meter = new QueryMeter("text");
        var access = new TableAccess("t");
        access.found(3, 2);
        var summary = new Run(meter, List.of(access), 4);
        int runs = 20_000;
        List<Thread> threads = new ArrayList<>();
        var taken = new QueryFigures();
        for (int thread = 0; thread < 6; thread++) {
            threads.add(
                    Thread.ofPlatform()
                            .start(
                                    () -> {
                                        for (int run = 0; run < runs; run++) {
                                            meter.add(summary, 5);
                                        }
                                    }));
        }
        while (threads.stream().anyMatch(Thread::isAlive)) {
            taken.add(meter.takeAway());
        }
        for (Thread thread : threads) {
            thread.join();
        }
        taken.add(meter.takeAway());
        assertThat(taken.runs()).isEqualTo(6L * runs);
        assertThat(taken.duration().sum()).isEqualTo(5L * 6 * runs);
        assertThat(taken.work().least()).isEqualTo(4);
        assertThat(taken.readRows().most()).isEqualTo(3);
        assertThat(meter.takeAway().runs()).isZero();
    }
}
