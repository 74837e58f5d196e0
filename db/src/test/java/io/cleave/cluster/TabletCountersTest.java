package io.cleave.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.cleave.schema.TabletCounter;
import io.cleave.schema.TabletCounters;

import org.junit.jupiter.api.Test;

import java.util.List;

/// What tablets count while they work.
class TabletCountersTest {
    private static final int ROWS = 1000;
    private static final String TEXT = "x".repeat(100);

    @Test
    void writesAreCountedExactly() {
        try (var bench = new TabletBench(1)) {
            bench.create(TabletBench.PATH);
            bench.write(0, ROWS, TEXT);
            bench.write(0, ROWS, TEXT);
            TabletCounters counters = bench.tablets().getFirst().counters();
            assertThat(counters.count(TabletCounter.DYNAMIC_ROW_WRITE)).isEqualTo(2 * ROWS);
            assertThat(counters.count(TabletCounter.DYNAMIC_ROW_WRITE_DATA_WEIGHT))
                    .isBetween(2L * ROWS * 100, 2L * ROWS * 150);
            assertThat(counters.count(TabletCounter.DYNAMIC_ROW_DELETE)).isZero();
            assertThat(counters.count(TabletCounter.WRITE_ERROR)).isZero();
        }
    }

    /// All rows are in memory, and then all of them in files.
    @Test
    void scannedRowsAreThoseOfMemoryAndThoseOfFiles() {
        try (var bench = new TabletBench(1)) {
            bench.create(TabletBench.PATH);
            bench.write(0, ROWS, TEXT);
            assertThat(bench.rows()).hasSize(ROWS);
            TabletCounters inMemory = bench.tablets().getFirst().counters();
            assertThat(inMemory.count(TabletCounter.DYNAMIC_ROW_READ)).isEqualTo(ROWS);
            assertThat(inMemory.count(TabletCounter.DYNAMIC_ROW_READ_DATA_WEIGHT))
                    .isBetween(ROWS * 50L, ROWS * 200L);
            assertThat(inMemory.count(TabletCounter.STATIC_CHUNK_ROW_READ)).isZero();
            bench.store.cell(1).structure().flush(List.of(bench.tabletId(0)));
            for (int scan = 0; scan < 10; scan++) {
                assertThat(bench.rows()).hasSize(ROWS);
            }
            TabletCounters inFiles = bench.tablets().getFirst().counters();
            assertThat(
                            inFiles.count(TabletCounter.DYNAMIC_ROW_READ)
                                    + inFiles.count(TabletCounter.STATIC_CHUNK_ROW_READ))
                    .isBetween(11L * ROWS - 1, 11L * ROWS);
            assertThat(inFiles.count(TabletCounter.STATIC_CHUNK_ROW_READ)).isGreaterThan(9L * ROWS);
            assertThat(inFiles.count(TabletCounter.STATIC_CHUNK_ROW_READ_DATA_WEIGHT))
                    .isBetween(9L * ROWS * 50, 11L * ROWS * 200);
        }
    }
}
