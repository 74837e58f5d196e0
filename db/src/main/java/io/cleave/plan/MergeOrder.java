package io.cleave.plan;

import io.cleave.plan.Planner.Scan;
import io.cleave.typed.JoinKind;
import io.cleave.typed.Relation;
import io.cleave.typed.Relation.SortKey;
import io.cleave.typed.Typed;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// An order of a join's equalities in which both sides are sorted by their own scans.
record MergeOrder(List<Integer> equalities) {
    /// Up to this number of equalities, all orders are tried; otherwise only the written one.
    private static final int MAX_PERMUTED = 3;

    MergeOrder {
        equalities = List.copyOf(equalities);
    }

    /// Empty if there is no such order, or if the kind of join cannot be merged.
    static Optional<MergeOrder> of(Relation.Join join, Planner planner) {
        switch (join.kind()) {
            case INNER, LEFT, FULL, LEFT_SEMI, LEFT_ONLY -> {}
            case RIGHT, CROSS, RIGHT_SEMI, RIGHT_ONLY, EXCLUSION -> {
                return Optional.empty();
            }
        }
        for (int index = 0; index < join.leftKeys().size(); index++) {
            var left = join.leftKeys().get(index).type().unwrapped();
            if (!left.equals(join.rightKeys().get(index).type().unwrapped())) {
                return Optional.empty();
            }
        }
        for (List<Integer> order : orders(join.leftKeys().size())) {
            if (isSorted(join.left(), join.leftKeys(), order, planner)
                    && isSorted(join.right(), join.rightKeys(), order, planner)) {
                return Optional.of(new MergeOrder(order));
            }
        }
        return Optional.empty();
    }

    private static boolean isSorted(
            Relation side, List<Typed> keys, List<Integer> order, Planner planner) {
        List<SortKey> sorted =
                order.stream().map(number -> new SortKey(keys.get(number), false)).toList();
        return !sorted.isEmpty()
                && planner.scanOrder(new Relation.Sort(side, sorted))
                        .equals(Optional.of(Scan.FORWARD));
    }

    private static List<List<Integer>> orders(int count) {
        List<List<Integer>> orders = new ArrayList<>();
        List<Integer> written = new ArrayList<>();
        for (int index = 0; index < count; index++) {
            written.add(index);
        }
        if (count <= MAX_PERMUTED) {
            permute(List.of(), written, orders);
        } else {
            orders.add(written);
        }
        return orders;
    }

    private static void permute(
            List<Integer> begun, List<Integer> left, List<List<Integer>> orders) {
        if (left.isEmpty()) {
            orders.add(begun);
        }
        for (Integer next : left) {
            List<Integer> longer = new ArrayList<>(begun);
            longer.add(next);
            permute(longer, left.stream().filter(other -> !other.equals(next)).toList(), orders);
        }
    }

    Planned node(Relation.Join join, Planned left, Planned right, JoinChoice choice) {
        List<Typed> leftKeys = equalities.stream().map(join.leftKeys()::get).toList();
        List<Typed> rightKeys = equalities.stream().map(join.rightKeys()::get).toList();
        PlanNode node =
                new PlanNode.MergeJoin(
                        join.kind(),
                        left.node(),
                        right.node(),
                        left.place(leftKeys),
                        right.place(rightKeys),
                        choice);
        boolean leftOnly = join.kind() == JoinKind.LEFT_SEMI || join.kind() == JoinKind.LEFT_ONLY;
        return new Planned(
                node,
                leftOnly
                        ? left.places()
                        : JoinPlanner.both(left, right.places(), right.places().length));
    }
}
