package io.cleave.balance.yt;

import io.cleave.balance.Decision;
import io.cleave.balance.KeyFacts;
import io.cleave.balance.Rule;
import io.cleave.balance.TabletState;
import io.cleave.balance.yt.ReshardKeys.NewTablets;
import io.cleave.balance.yt.reshard.InMemoryMode;
import io.cleave.balance.yt.reshard.MetricBounds;
import io.cleave.balance.yt.reshard.Reshard;

import java.util.List;
import java.util.Optional;

/// Chooses the keys of reshards by a metric.
///
/// Tablets are cut evenly by size, because it is not known where in a tablet its load is. A split
/// is left out unless what the new tablets have above the bounds is clearly less, in bytes and in
/// load taken together. A merge is never above the bounds. So splits come to an end whatever the
/// rows are, and after the last split merges come to an end, because each leaves fewer tablets.
final class TableMetricReshards {
    /// What new tablets may have above the bounds, relative to the old ones.
    private static final double MOST_ABOVE = 0.9;

    private final KeyFacts facts;

    TableMetricReshards(KeyFacts facts) {
        this.facts = facts;
    }

    /// Empty if the tablets stay as they are.
    ///
    /// @param tablets those of the reshard
    /// @param metric what they have together
    Optional<Decision.Reshard> decide(
            BalancedTable table,
            Reshard reshard,
            List<TabletState> tablets,
            double metric,
            MetricBounds bounds) {
        boolean byFiles = table.inMemoryMode() == InMemoryMode.COMPRESSED;
        NewTablets made = ReshardKeys.choose(tablets, byFiles, reshard.newCount(), facts);
        if (reshard.newCount() > 1) {
            double bytes = 0;
            for (TabletState tablet : tablets) {
                bytes += byFiles ? tablet.fileBytes() : tablet.bytes();
            }
            double above = 0;
            for (long size : made.sizes()) {
                above += bounds.above((double) size, metric * size / bytes);
            }
            if (made.keys().isEmpty() || above > MOST_ABOVE * bounds.above(bytes, metric)) {
                return Optional.empty();
            }
        }
        return Optional.of(
                new Decision.Reshard(
                        reshard.tabletIds(),
                        made.keys(),
                        Rule.RESHARD_BY_METRIC,
                        reshard.figures(),
                        reshard.cause().text()));
    }
}
