package io.cleave.balance.ydb;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Test;

import java.util.List;
import java.util.Random;

class EvenCutsTest {
    @Test
    void equalWeightsAreCutEvenly() {
        assertThat(cuts(3, 1, 1, 1, 1, 1, 1)).containsExactly(2, 4);
    }

    @Test
    void theCutIsBesideAGreatWeightWhereItIsMoreEven() {
        assertThat(cuts(2, 4, 5, 1)).containsExactly(1);
        assertThat(cuts(2, 1, 5, 4)).containsExactly(2);
    }

    @Test
    void aWeightOfMoreThanAnEvenShareIsByItselfAndTheOthersAreEven() {
        assertThat(cuts(5, 1, 1, 1, 1, 50, 1, 1, 1, 1)).containsExactly(2, 4, 5, 7);
    }

    @Test
    void thereAreNoMorePiecesThanWeights() {
        assertThat(cuts(5, 1, 1)).containsExactly(1);
        assertThat(cuts(5, 1)).isEmpty();
    }

    /// What the greatest piece has, where no weight is more than an even share.
    @Test
    void noOtherCutsAreMoreEven() {
        long seed = Long.getLong("seed", System.nanoTime());
        var random = new Random(seed);
        for (int round = 0; round < 300; round++) {
            double[] weights =
                    random.doubles(2 + random.nextInt(11)).map(x -> 0.01 + x * x).toArray();
            double[] before = before(weights);
            int ways = 2 + random.nextInt(4);
            double greatest = greatest(before, EvenCuts.choose(before, ways));
            assertThat(greatest)
                    .as("-Dseed=%d, round %d", seed, round)
                    .isCloseTo(least(before, 0, ways), within(1e-6));
        }
    }

    /// Of all ways to cut, from here on.
    private static double least(double[] before, int from, int ways) {
        int count = before.length - 1;
        double least = before[count] - before[from];
        for (int cut = from + 1; ways > 1 && cut < count; cut++) {
            double rest = least(before, cut, ways - 1);
            least = Math.min(least, Math.max(before[cut] - before[from], rest));
        }
        return least;
    }

    private static double greatest(double[] before, List<Integer> cuts) {
        double greatest = 0;
        int from = 0;
        for (int cut : cuts) {
            greatest = Math.max(greatest, before[cut] - before[from]);
            from = cut;
        }
        return Math.max(greatest, before[before.length - 1] - before[from]);
    }

    private static List<Integer> cuts(int ways, double... weights) {
        return EvenCuts.choose(before(weights), ways);
    }

    private static double[] before(double... weights) {
        double[] before = new double[weights.length + 1];
        double all = 0;
        for (double weight : weights) {
            all += weight;
        }
        for (int index = 0; index < weights.length; index++) {
            before[index + 1] = before[index] + weights[index] / all;
        }
        return before;
    }
}
