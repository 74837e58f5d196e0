package io.cleave.control;

import static org.assertj.core.api.Assertions.assertThat;

import io.cleave.balance.BalanceSettings;
import io.cleave.balance.TabletState;
import io.cleave.cluster.KeyText;
import io.cleave.cluster.TabletBench;
import io.cleave.cluster.TabletInfo;
import io.cleave.cluster.Tablets;
import io.cleave.schema.Balancer;
import io.cleave.schema.Table;

import org.junit.jupiter.api.Test;

import java.util.List;

class TableWatchTest {
    /// A tablet is in the map before whoever has cut it comes to say so.
    @Test
    void ofWhichLoadATabletCameIsKnownAlsoIfItWasSeenBefore() {
        try (var bench = new TabletBench(1)) {
            bench.create(TabletBench.PATH);
            Tablets tablets = bench.store.tablets();
            Table table = tablets.table(TabletBench.PATH);
            var watch = new TableWatch(BalanceSettings.DEFAULT, tablets.timeline());
            List<TabletInfo> made =
                    bench.store
                            .resharding()
                            .split(TabletBench.PATH, List.of(KeyText.parse(table, "50")));
            assertThat(watch.look(table, Balancer.YDB, tablets.map(table), 1).tablets())
                    .extracting(TabletState::parentCores)
                    .containsExactly(0.0, 0.0);
            watch.cutByLoad(made.stream().map(TabletInfo::tabletId).toList(), 0.7);
            assertThat(watch.look(table, Balancer.YDB, tablets.map(table), 2).tablets())
                    .extracting(TabletState::parentCores)
                    .containsExactly(0.7, 0.7);
        }
    }
}
