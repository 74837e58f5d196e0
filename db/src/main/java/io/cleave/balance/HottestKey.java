package io.cleave.balance;

import io.cleave.balance.KeyFacts.KeySample;
import io.cleave.balance.SplitRules.Wish;
import io.cleave.base.Bytes;

import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Stream;

/// The key of a table that alone has most load. No split makes that less: where others are cut into
/// pieces with far less, the table is only the more uneven.
///
/// @param cores of CPU time for this key
record HottestKey(long tabletId, Bytes key, double cores) {
    /// Empty if no tablet has enough samples.
    static Optional<HottestKey> of(
            Stream<TabletState> tablets, Function<TabletState, List<KeySample>> samples) {
        return tablets.map(tablet -> of(tablet, samples.apply(tablet)))
                .flatMap(Optional::stream)
                .max(Comparator.comparingDouble(HottestKey::cores));
    }

    private static Optional<HottestKey> of(TabletState tablet, List<KeySample> samples) {
        if (samples.size() < BalanceSettings.MIN_SAMPLES) {
            return Optional.empty();
        }
        KeyWeights.HotKey hottest = new KeyWeights(samples).hottest();
        return Optional.of(
                new HottestKey(tablet.tabletId(), hottest.key(), hottest.share() * tablet.cores()));
    }

    /// In how many pieces a tablet is to be cut: as many as wanted, but not so many that the key of
    /// another one has more than 1.3 times the load of a piece; less than 2 if it is not to be cut.
    /// A tablet that commits wait for is cut anyway. So is one over the threshold where the key
    /// alone is over it, too, or where fewer pieces would not be well below it.
    static int ways(Wish wish, Optional<HottestKey> hottest, BalanceSettings settings) {
        boolean isElsewhere =
                hottest.isPresent() && hottest.get().tabletId != wish.tablet().tabletId();
        if (!isElsewhere || wish.rule() == Rule.SPLIT_BY_SATURATION) {
            return wish.ways();
        }
        double cores = wish.tablet().cores();
        double even =
                BalanceSettings.UNEVEN * cores / hottest.get().cores + BalanceSettings.ROUNDING;
        if (even >= wish.ways()) {
            return wish.ways();
        }
        boolean isOver = wish.rule() == Rule.SPLIT_BY_LOAD;
        if (even < 2) {
            return isOver && hottest.get().cores >= settings.splitCores() ? wish.ways() : 1;
        }
        double least = cores / (settings.splitCores() * BalanceSettings.UNEVEN_SHARE);
        return Math.min(wish.ways(), (int) Math.max(even, Math.ceil(least)));
    }

    /// Beside a piece of so much load.
    Figure figure(double pieceCores) {
        return Figure.cores("CPU time of one key", cores, pieceCores * BalanceSettings.UNEVEN);
    }
}
