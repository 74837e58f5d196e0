package io.cleave.yt.table;

import io.cleave.base.Bytes;
import io.cleave.base.StatusException;
import io.cleave.cluster.ReshardPlan;
import io.cleave.cluster.TabletInfo;
import io.cleave.yt.error.YtCodes;
import io.cleave.yt.error.YtException;

import java.util.List;
import java.util.function.Supplier;

/// The rules for the first keys of tablets, with errors of YTsaurus' API. Pure.
final class PivotRules {
    private PivotRules() {}

    /// The changes that give the tablets of the span these first keys.
    static ReshardPlan plan(List<TabletInfo> tablets, TabletSpan span, List<Bytes> pivots) {
        return checked(() -> ReshardPlan.of(span.of(tablets), tablets.size(), pivots));
    }

    static void checkIncreasing(List<Bytes> pivots) {
        boolean _ =
                checked(
                        () -> {
                            ReshardPlan.checkIncreasing(pivots);
                            return true;
                        });
    }

    /// Throws if a table cannot have this number of tablets.
    static void checkCount(long tablets) {
        boolean _ =
                checked(
                        () -> {
                            ReshardPlan.checkCount(tablets);
                            return true;
                        });
    }

    private static <T> T checked(Supplier<T> check) {
        try {
            return check.get();
        } catch (StatusException e) {
            throw new YtException(YtCodes.GENERIC, e.issues().getFirst().message());
        }
    }
}
