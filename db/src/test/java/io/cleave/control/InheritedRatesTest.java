package io.cleave.control;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.cleave.balance.BalanceSettings;
import io.cleave.cluster.TabletInfo;
import io.cleave.schema.TableOptions;
import io.cleave.schema.TabletCounter;
import io.cleave.schema.TabletCounters.Window;

import org.assertj.core.data.Offset;
import org.junit.jupiter.api.Test;

import java.time.Duration;
import java.util.List;

class InheritedRatesTest {
    private static final Duration STEP = Duration.ofSeconds(10);

    @Test
    void ratesGoOnOverSplitsMovesAndMerges() {
        BalancerRig.run(
                BalanceSettings.DEFAULT,
                rig -> {
                    rig.create(TableOptions.DEFAULT);
                    writeForMinutes(rig, 20);
                    double before = total(rig);
                    assertThat(before).isGreaterThan(100);
                    // The rate fades during the steps of the test.
                    Offset<Double> about = within(0.05 * before);

                    rig.parts().resharding().split(BalancerRig.PATH, List.of(BalancerRig.key(75)));
                    rig.pass(STEP);
                    assertThat(total(rig)).isCloseTo(before, about);
                    assertThat(rate(rig, 0)).isCloseTo(0.75 * before, about);
                    assertThat(rate(rig, 1)).isCloseTo(0.25 * before, about);
                    assertThat(rig.infos().getFirst().counters().measuredSeconds())
                            .isGreaterThan(1200);

                    TabletInfo first = rig.infos().getFirst();
                    long otherCell = 3 - first.cellId();
                    rig.parts().resharding().move(BalancerRig.PATH, first.tabletId(), otherCell);
                    rig.pass(STEP);
                    assertThat(rig.infos().getFirst().cellId()).isEqualTo(otherCell);
                    assertThat(rate(rig, 0)).isCloseTo(0.75 * before, about);

                    rig.parts()
                            .resharding()
                            .merge(
                                    BalancerRig.PATH,
                                    rig.infos().stream().map(TabletInfo::tabletId).toList());
                    rig.pass(STEP);
                    assertThat(rig.tablets()).isEqualTo(1);
                    assertThat(total(rig)).isCloseTo(before, about);
                    // What it does itself comes to that.
                    writeForMinutes(rig, 20);
                    assertThat(total(rig)).isBetween(before, 1.2 * before);
                });
    }

    /// Writes 100 rows of equal size again and again.
    private static void writeForMinutes(BalancerRig rig, int minutes) {
        for (int step = 0; step < 6 * minutes; step++) {
            rig.write(0, 100, "x".repeat(100));
            rig.pass(STEP);
        }
    }

    private static double rate(BalancerRig rig, int index) {
        return rig.infos()
                .get(index)
                .counters()
                .perSecond(TabletCounter.DYNAMIC_ROW_WRITE_DATA_WEIGHT, Window.HOUR);
    }

    private static double total(BalancerRig rig) {
        double total = 0;
        for (int index = 0; index < rig.tablets(); index++) {
            total += rate(rig, index);
        }
        return total;
    }
}
