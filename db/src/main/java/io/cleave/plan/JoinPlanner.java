package io.cleave.plan;

import io.cleave.plan.PlanRules.Rule;
import io.cleave.plan.Planner.Scan;
import io.cleave.typed.JoinKind;
import io.cleave.typed.Relation;
import io.cleave.typed.Typed;

import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;

/// Plans joins: by lookups if values are known for a prefix of a side's key ([LookupSide]), by a
/// merge if both sides are sorted by their keys, otherwise by a hash table of one side.
/// [JoinChoice] decides between them.
///
/// A lookup join reads, and later checks for conflicts, only the rows it needs. The other joins
/// read the whole right side.
final class JoinPlanner {
    private final Planner planner;

    JoinPlanner(Planner planner) {
        this.planner = planner;
    }

    Planned plan(Relation.Join join, BitSet needed, Scan scan) {
        Optional<JoinOrder> order =
                scan == Scan.ANY && planner.rules().has(Rule.JOIN_ORDER)
                        ? JoinOrder.better(join, planner.estimates())
                        : Optional.empty();
        if (order.isEmpty()) {
            return scan == Scan.ANY && looksUpTurned(join)
                    ? turnedRound(join, needed)
                    : inOrder(join, needed, scan, false);
        }
        assert RelationCheck.holds(order.get().join());
        BitSet moved = new BitSet();
        needed.stream().map(order.get()::place).forEach(moved::set);
        Planned planned = inOrder(order.get().join(), moved, scan, true);
        int[] places = new int[join.fields().size()];
        Arrays.setAll(places, field -> planned.places()[order.get().place(field)]);
        return new Planned(planned.node(), places);
    }

    /// Plans the join with its sides in this order. `chosen` means that the joins on its left side
    /// are already in their chosen order, too.
    private Planned inOrder(Relation.Join join, BitSet needed, Scan scan, boolean chosen) {
        Relation.Join turned = turned(join);
        // A merge keeps unmatched rows of the left side, so a join that keeps the right side is
        // turned round.
        if (keepsRight(join.kind()) && scan == Scan.ANY && merge(turned, scan).isPresent()) {
            return turnedRound(join, needed);
        }
        int leftWidth = join.left().fields().size();
        boolean rightOnly =
                join.kind() == JoinKind.RIGHT_SEMI || join.kind() == JoinKind.RIGHT_ONLY;
        BitSet leftNeeded = rightOnly ? new BitSet() : needed.get(0, leftWidth);
        BitSet rightNeeded =
                rightOnly ? needed : needed.get(leftWidth, Math.max(leftWidth, needed.length()));
        leftNeeded = Planner.with(leftNeeded, join.leftKeys());
        OptionalDouble leftRows = rows(join.left());
        OptionalDouble rightRows = rows(join.right());
        OptionalDouble rightRead = read(join.right());
        boolean known = leftRows.isPresent() && rightRows.isPresent();
        Optional<MergeOrder> merge = merge(join, scan);
        Scan leftScan = merge.isPresent() ? Scan.FORWARD : scan;
        Planned left =
                chosen && join.left() instanceof Relation.Join before
                        ? inOrder(before, leftNeeded, leftScan, true)
                        : planner.plan(join.left(), leftNeeded, leftScan);
        Optional<LookupSide> lookup = lookup(join, leftRows, rightRead);
        if (lookup.isPresent()) {
            Optional<JoinChoice> choice =
                    known ? Optional.of(JoinChoice.lookup(leftRows, rightRead)) : Optional.empty();
            Optional<Planned> looked =
                    new LookupJoins(join, lookup.get(), left, choice).plan(rightNeeded);
            if (looked.isPresent()) {
                return looked.get();
            }
        }
        Planned right =
                planner.plan(
                        join.right(),
                        Planner.with(rightNeeded, join.rightKeys()),
                        merge.isPresent() ? Scan.FORWARD : Scan.ANY);
        if (merge.isPresent()) {
            JoinChoice choice = JoinChoice.merge(leftRows, rightRows);
            return merge.get().node(join, left, right, choice);
        }
        boolean buildsLeft = scan == Scan.ANY && JoinChoice.buildsLeft(leftRows, rightRows);
        Optional<JoinChoice> choice =
                !known
                        ? Optional.empty()
                        : Optional.of(
                                buildsLeft
                                        ? JoinChoice.hash(rightRows, leftRows)
                                        : JoinChoice.hash(leftRows, rightRows));
        Relation.Join hashed = NullKeys.hashed(join);
        return buildsLeft ? turned(hashed, left, right, choice) : hash(hashed, left, right, choice);
    }

    /// Whether the left side is looked up for each row of the right side.
    private boolean looksUpTurned(Relation.Join join) {
        OptionalDouble leftRead = read(join.left());
        OptionalDouble rightRows = rows(join.right());
        if (join.kind() != JoinKind.INNER) {
            return keepsRight(join.kind()) && lookup(turned(join), rightRows, leftRead).isPresent();
        }
        // If the right side can be looked up, too, the sides stay as they are written.
        Optional<LookupSide> side = lookup(turned(join), rightRows, leftRead);
        return side.isPresent()
                && LookupSide.of(join, planner.estimates().generated()).isEmpty()
                && (rightRows.isEmpty()
                        || leftRead.isEmpty()
                        || planner.estimates()
                                        .lookups(turned(join), side.get())
                                        .cost(rightRows.getAsDouble())
                                <= leftRead.getAsDouble());
    }

    private OptionalDouble rows(Relation side) {
        return planner.rules().has(Rule.JOIN_ROWS)
                ? planner.estimates().of(side)
                : OptionalDouble.empty();
    }

    private OptionalDouble read(Relation side) {
        return planner.rules().has(Rule.JOIN_ROWS)
                ? planner.estimates().read(side)
                : OptionalDouble.empty();
    }

    /// The right side, if its rows should be looked up.
    private Optional<LookupSide> lookup(
            Relation.Join join, OptionalDouble leftRows, OptionalDouble rightRead) {
        return planner.rules().has(Rule.LOOKUP_JOINS)
                ? LookupSide.of(join, planner.estimates().generated())
                        .filter(
                                side ->
                                        !JoinChoice.scans(
                                                leftRows,
                                                rightRead,
                                                planner.estimates().lookups(join, side)))
                : Optional.empty();
    }

    private Optional<MergeOrder> merge(Relation.Join join, Scan scan) {
        return !join.nullsMatch()
                        && planner.rules().has(Rule.MERGE_JOINS)
                        && scan != Scan.BACKWARD
                        && JoinChoice.merges(rows(join.left()), rows(join.right()))
                ? MergeOrder.of(join, planner)
                : Optional.empty();
    }

    private static boolean keepsRight(JoinKind kind) {
        return switch (kind) {
            case RIGHT, RIGHT_SEMI, RIGHT_ONLY -> true;
            case INNER, LEFT, FULL, CROSS, LEFT_SEMI, LEFT_ONLY, EXCLUSION -> false;
        };
    }

    private static Relation.Join turned(Relation.Join join) {
        Relation first = join.right();
        Relation second = join.left();
        List<Typed> firstKeys = join.rightKeys();
        List<Typed> secondKeys = join.leftKeys();
        return new Relation.Join(
                join.kind().turned(), first, second, firstKeys, secondKeys, join.nullsMatch());
    }

    /// Plans the join with its sides exchanged, and maps the fields back.
    private Planned turnedRound(Relation.Join join, BitSet needed) {
        Relation.Join turned = turned(join);
        if (join.kind() == JoinKind.RIGHT_SEMI || join.kind() == JoinKind.RIGHT_ONLY) {
            return inOrder(turned, needed, Scan.ANY, false);
        }
        int leftWidth = join.left().fields().size();
        int rightWidth = join.right().fields().size();
        BitSet moved = new BitSet();
        needed.stream()
                .map(field -> field < leftWidth ? field + rightWidth : field - leftWidth)
                .forEach(moved::set);
        Planned planned = inOrder(turned, moved, Scan.ANY, false);
        int[] places = new int[leftWidth + rightWidth];
        System.arraycopy(planned.places(), rightWidth, places, 0, leftWidth);
        System.arraycopy(planned.places(), 0, places, leftWidth, rightWidth);
        return new Planned(planned.node(), places);
    }

    private static Planned hash(
            Relation.Join join, Planned left, Planned right, Optional<JoinChoice> choice) {
        PlanNode node =
                new PlanNode.HashJoin(
                        join.kind(),
                        left.node(),
                        right.node(),
                        left.place(join.leftKeys()),
                        right.place(join.rightKeys()),
                        choice);
        boolean rightOnly =
                join.kind() == JoinKind.RIGHT_SEMI || join.kind() == JoinKind.RIGHT_ONLY;
        return rightOnly
                ? new Planned(node, right.places())
                : new Planned(node, both(left, right.places(), right.places().length));
    }

    /// The hash join with the table built from the left side, and probed with the right side.
    private static Planned turned(
            Relation.Join join, Planned left, Planned right, Optional<JoinChoice> choice) {
        PlanNode node =
                new PlanNode.HashJoin(
                        join.kind().turned(),
                        right.node(),
                        left.node(),
                        right.place(join.rightKeys()),
                        left.place(join.leftKeys()),
                        choice);
        return switch (join.kind()) {
            case LEFT_SEMI, LEFT_ONLY -> new Planned(node, left.places());
            case RIGHT_SEMI, RIGHT_ONLY -> new Planned(node, right.places());
            case INNER, CROSS, LEFT, RIGHT, FULL, EXCLUSION -> {
                int leftWidth = left.places().length;
                int[] places = new int[leftWidth + right.places().length];
                for (int index = 0; index < leftWidth; index++) {
                    int place = left.places()[index];
                    places[index] = place < 0 ? -1 : place + right.node().width();
                }
                System.arraycopy(right.places(), 0, places, leftWidth, right.places().length);
                yield new Planned(node, places);
            }
        };
    }

    static int[] both(Planned left, int[] rightPlaces, int rightWidth) {
        int leftWidth = left.places().length;
        int[] places = Arrays.copyOf(left.places(), leftWidth + rightWidth);
        for (int index = 0; index < rightWidth; index++) {
            int place = rightPlaces[index];
            places[leftWidth + index] = place < 0 ? -1 : place + left.node().width();
        }
        return places;
    }
}
