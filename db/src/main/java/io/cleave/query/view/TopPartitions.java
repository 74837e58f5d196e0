package io.cleave.query.view;

import static io.cleave.query.view.ViewColumn.number;
import static io.cleave.query.view.ViewColumn.text;
import static io.cleave.query.view.ViewColumn.time;
import static io.cleave.query.view.ViewColumn.unmeasured;

import io.cleave.control.TabletBalancer;
import io.cleave.control.TopTablets;
import io.cleave.control.TopTablets.Top;
import io.cleave.value.Type.Primitive;
import io.cleave.value.Value;

import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.function.ToLongFunction;

/// The system views `.sys/top_partitions_…` and `.sys/top_partitions_by_tli_…`, each for
/// `one_minute` and `one_hour`: the tablets that used the most CPU time, and the tablets in which
/// the most transaction locks were broken.
final class TopPartitions {
    private static final int KEY_COLUMNS = 2;

    private TopPartitions() {}

    static List<SystemView> all(String directory, int nodeId, Optional<TabletBalancer> balancer) {
        String prefix = directory + "/top_partitions_";
        List<ViewColumn<Top>> byCores = byCores(nodeId);
        List<ViewColumn<Top>> byLocks = byLocksBroken(nodeId);
        return List.of(
                ListedView.of(
                        -31,
                        prefix + "one_hour",
                        byCores,
                        KEY_COLUMNS,
                        of(balancer, TopTablets::byHour)),
                ListedView.of(
                        -32,
                        prefix + "one_minute",
                        byCores,
                        KEY_COLUMNS,
                        of(balancer, TopTablets::byMinute)),
                ListedView.of(
                        -33,
                        prefix + "by_tli_one_hour",
                        byLocks,
                        KEY_COLUMNS,
                        of(balancer, TopTablets::brokenByHour)),
                ListedView.of(
                        -34,
                        prefix + "by_tli_one_minute",
                        byLocks,
                        KEY_COLUMNS,
                        of(balancer, TopTablets::brokenByMinute)));
    }

    private static Supplier<List<Top>> of(
            Optional<TabletBalancer> balancer, Function<TopTablets, List<Top>> spans) {
        return () -> balancer.map(TabletBalancer::tops).map(spans).orElse(List.of());
    }

    static List<ViewColumn<Top>> byCores(int nodeId) {
        return List.of(
                time("IntervalEnd", Top::endMicros),
                small("Rank", Top::rank),
                number("TabletId", top -> top.tablet().tabletId()),
                small("FollowerId", _ -> 0),
                text("Path", top -> top.tablet().path()),
                time("PeakTime", top -> top.tablet().micros()),
                new ViewColumn<>(
                        "CPUCores", Primitive.DOUBLE, top -> Value.of(top.tablet().cores())),
                small("NodeId", _ -> nodeId),
                number("DataSize", top -> top.tablet().bytes()),
                number("RowCount", top -> top.tablet().rows()),
                unmeasured("IndexSize", Primitive.UINT64),
                unmeasured("InFlightTxCount", Primitive.UINT32));
    }

    static List<ViewColumn<Top>> byLocksBroken(int nodeId) {
        return List.of(
                time("IntervalEnd", Top::endMicros),
                small("Rank", Top::rank),
                number("TabletId", top -> top.tablet().tabletId()),
                small("FollowerId", _ -> 0),
                text("Path", top -> top.tablet().path()),
                number("LocksAcquired", top -> top.tablet().locks().acquired()),
                number("LocksWholeShard", top -> top.tablet().locks().ofAll()),
                number("LocksBroken", top -> top.tablet().locks().broken()),
                small("NodeId", _ -> nodeId),
                number("DataSize", top -> top.tablet().bytes()),
                number("RowCount", top -> top.tablet().rows()),
                unmeasured("IndexSize", Primitive.UINT64));
    }

    private static ViewColumn<Top> small(String name, ToLongFunction<Top> number) {
        return new ViewColumn<>(name, Primitive.UINT32, top -> Value.of(number.applyAsLong(top)));
    }
}
