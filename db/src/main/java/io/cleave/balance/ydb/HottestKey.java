package io.cleave.balance.ydb;

import io.cleave.balance.BalanceSettings;
import io.cleave.balance.Figure;
import io.cleave.balance.KeyFacts.KeySample;
import io.cleave.balance.Rule;
import io.cleave.balance.TabletState;
import io.cleave.balance.ydb.SplitRules.Wish;
import io.cleave.base.Bytes;

import java.util.Comparator;
import java.util.DoubleSummaryStatistics;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Stream;

/// The key of a table with the most load. No split reduces that load. Splitting other tablets into
/// pieces with far less load only makes the table more uneven.
///
/// @param cores CPU time for this key, in cores
record HottestKey(long tabletId, Bytes key, double cores) {
    /// Empty if no tablet has enough samples.
    static Optional<HottestKey> of(
            Stream<TabletState> tablets, Function<TabletState, List<KeySample>> samples) {
        return tablets.map(tablet -> of(tablet, samples.apply(tablet)))
                .flatMap(Optional::stream)
                .max(Comparator.comparingDouble(HottestKey::cores));
    }

    private static Optional<HottestKey> of(TabletState tablet, List<KeySample> samples) {
        if (samples.size() < Thresholds.MIN_SAMPLES) {
            return Optional.empty();
        }
        KeyWeights.HotKey hottest = new KeyWeights(samples).hottest();
        return Optional.of(
                new HottestKey(tablet.tabletId(), hottest.key(), hottest.share() * tablet.cores()));
    }

    /// The number of pieces to split a tablet into; less than 2 if it should not be split.
    ///
    /// 1. It is the wanted number if the hottest key is unknown or in this tablet, or if the tablet
    ///    is saturated.
    /// 2. Otherwise it is reduced until the hottest key has at most 1.3 times the load of a piece.
    /// 3. If the reduced number is less than 2, the tablet is not split, with two exceptions for a
    ///    tablet over the load threshold. If the hottest key is over the threshold, too, it is the
    ///    wanted number. If a split makes the table more even, or leaves it even, it is 2.
    /// 4. If the pieces would not be well below the load threshold, the reduced number is raised,
    ///    up to the wanted number.
    ///
    /// @param busy the loads of the table's busy tablets
    static int ways(
            Wish wish,
            Optional<HottestKey> hottest,
            DoubleSummaryStatistics busy,
            BalanceSettings settings) {
        boolean isElsewhere =
                hottest.isPresent() && hottest.get().tabletId != wish.tablet().tabletId();
        if (!isElsewhere || wish.rule() == Rule.SPLIT_BY_SATURATION) {
            return wish.ways();
        }
        double cores = wish.tablet().cores();
        double even = Thresholds.UNEVEN * cores / hottest.get().cores + Thresholds.ROUNDING;
        if (even >= wish.ways()) {
            return wish.ways();
        }
        boolean isOver = wish.rule() == Rule.SPLIT_BY_LOAD;
        if (even < 2) {
            if (!isOver) {
                return 1;
            }
            if (hottest.get().cores >= settings.splitCores()) {
                return wish.ways();
            }
            return hottest.get().isEvenerAfter(cores, busy) ? 2 : 1;
        }
        double least = cores / (settings.splitCores() * Thresholds.UNEVEN_SHARE);
        return Math.min(wish.ways(), (int) Math.max(even, Math.ceil(least)));
    }

    /// Whether the key's load relative to the mean, after one of the busy tablets is split in two,
    /// is less than the tablet's load relative to the mean now, or is within the limit.
    private boolean isEvenerAfter(double tabletCores, DoubleSummaryStatistics busy) {
        double after = cores * (busy.getCount() + 1);
        return after < tabletCores * busy.getCount() || after <= Thresholds.UNEVEN * busy.getSum();
    }

    /// The load of the key, compared with the limit for pieces of this load.
    Figure figure(double pieceCores) {
        return Figure.cores("CPU time of one key", cores, pieceCores * Thresholds.UNEVEN);
    }
}
