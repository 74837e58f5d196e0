package io.cleave.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cleave.base.Status;
import io.cleave.base.StatusException;

import org.junit.jupiter.api.Test;

import java.util.List;

/// How many tablets there may be, at the limit and one beyond.
class TabletLimitsTest {
    @Test
    void aTableHas35000() {
        TabletLimits.checkTable(35_000);
        assertThatThrownBy(() -> TabletLimits.checkTable(35_001))
                .isInstanceOfSatisfying(
                        StatusException.class,
                        e -> assertThat(e.status()).isEqualTo(Status.GENERIC_ERROR))
                .hasMessageContaining("shards count has reached maximum value in the path: 35000");
    }

    @Test
    void aDatabaseHas200000() {
        TabletLimits.checkDatabase(200_000);
        assertThatThrownBy(() -> TabletLimits.checkDatabase(200_001))
                .isInstanceOfSatisfying(
                        StatusException.class,
                        e -> assertThat(e.status()).isEqualTo(Status.GENERIC_ERROR))
                .hasMessageContaining(
                        "shards count has reached maximum value in the domain: 200000");
    }

    @Test
    void tabletsOfAllTablesCount() {
        var bench = new TabletBench(2);
        bench.create(TabletBench.PATH, 100);
        long before = TabletLimits.count(bench.cluster().view());
        bench.cluster().split("t", List.of(KeyText.parse(bench.cluster().table("t"), "7")));
        assertThat(TabletLimits.count(bench.cluster().view())).isEqualTo(before + 1);
        bench.close();
    }
}
