package io.cleave.plan;

import io.cleave.typed.JoinKind;
import io.cleave.typed.Relation;
import io.cleave.typed.Typed;
import io.cleave.typed.TypedTree;
import io.cleave.value.Type;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;

/// Chooses the order of a chain of INNER joins: the side with the fewest rows first, then always
/// the side whose join gives the fewest rows. The written order stays if the number of rows of a
/// side is unknown, or if another order does not read clearly fewer rows.
final class JoinOrder {
    /// A longer chain stays as it is written.
    private static final int MAX_SIDES = 16;

    /// Another order must read at least this number of rows less than the written one.
    private static final int MIN_GAIN_ROWS = 1_000;

    /// One side of the chain. `first` is the position of its first field among the fields of the
    /// whole chain.
    private record Side(Relation relation, int first, int width) {}

    /// An equality between two sides. Each expression is over the fields of its side.
    private record Equality(int left, Typed leftKey, int right, Typed rightKey) {
        boolean joins(Set<Integer> joined, int side) {
            return (joined.contains(left) && right == side)
                    || (joined.contains(right) && left == side);
        }
    }

    /// Sides in an order, their join, its number of rows, and its cost.
    private record Chain(List<Integer> sides, Relation joined, double rows, double cost) {}

    private final RowEstimates estimates;
    private final List<Side> sides = new ArrayList<>();
    private final List<Equality> equalities = new ArrayList<>();

    /// The place in the new chain of each field of the written chain.
    private int[] places = {};

    private Relation.@Nullable Join join;

    private JoinOrder(RowEstimates estimates) {
        this.estimates = estimates;
    }

    /// A better order than the written one, if there is one.
    static Optional<JoinOrder> better(Relation.Join join, RowEstimates estimates) {
        var order = new JoinOrder(estimates);
        return order.find(join) ? Optional.of(order) : Optional.empty();
    }

    Relation.Join join() {
        return Objects.requireNonNull(join);
    }

    /// The place in this join of a field of the written join.
    int place(int field) {
        return places[field];
    }

    private boolean find(Relation.Join written) {
        if (!flatten(written, 0) || sides.size() > MAX_SIDES) {
            return false;
        }
        List<OptionalDouble> rows =
                sides.stream().map(side -> estimates.of(side.relation)).toList();
        if (rows.stream().anyMatch(OptionalDouble::isEmpty)) {
            return false;
        }
        Chain asWritten = begin(0, rows);
        for (int side = 1; side < sides.size(); side++) {
            asWritten = with(asWritten, side, rows);
        }
        Chain greedy = greedy(rows);
        if (greedy.sides.equals(asWritten.sides)
                || greedy.cost + MIN_GAIN_ROWS >= asWritten.cost
                || !(greedy.joined instanceof Relation.Join found)) {
            return false;
        }
        join = found;
        places = places(written.fields().size(), greedy.sides);
        return true;
    }

    private Chain greedy(List<OptionalDouble> rows) {
        int first = 0;
        for (int side = 1; side < sides.size(); side++) {
            if (rows.get(side).getAsDouble() < rows.get(first).getAsDouble()) {
                first = side;
            }
        }
        Chain chain = begin(first, rows);
        while (chain.sides.size() < sides.size()) {
            Chain best = null;
            for (int side = 0; side < sides.size(); side++) {
                if (isNext(chain, side)) {
                    Chain longer = with(chain, side, rows);
                    if (best == null
                            || longer.rows < best.rows
                            || (longer.rows == best.rows && longer.cost < best.cost)) {
                        best = longer;
                    }
                }
            }
            chain = Objects.requireNonNull(best);
        }
        return chain;
    }

    private boolean isNext(Chain chain, int side) {
        Set<Integer> joined = new HashSet<>(chain.sides);
        return !joined.contains(side)
                && equalities.stream().anyMatch(equality -> equality.joins(joined, side));
    }

    private Chain begin(int side, List<OptionalDouble> rows) {
        double count = rows.get(side).getAsDouble();
        Relation first = sides.get(side).relation;
        return new Chain(List.of(side), first, count, estimates.read(first).orElse(0));
    }

    private Chain with(Chain chain, int side, List<OptionalDouble> rows) {
        Set<Integer> joined = new HashSet<>(chain.sides);
        List<Typed> leftKeys = new ArrayList<>();
        List<Typed> rightKeys = new ArrayList<>();
        for (Equality equality : equalities) {
            if (equality.joins(joined, side)) {
                boolean turned = equality.left == side;
                Typed left = turned ? equality.rightKey : equality.leftKey;
                int from = turned ? equality.right : equality.left;
                leftKeys.add(shifted(left, first(chain.sides, from)));
                rightKeys.add(turned ? equality.leftKey : equality.rightKey);
            }
        }
        Relation right = sides.get(side).relation;
        var next = new Relation.Join(JoinKind.INNER, chain.joined, right, leftKeys, rightKeys);
        OptionalDouble left = OptionalDouble.of(chain.rows);
        double values =
                Math.max(
                        estimates.values(chain.joined, leftKeys),
                        estimates.values(right, rightKeys));
        double found =
                RowEstimates.joined(JoinKind.INNER, left, rows.get(side), values).getAsDouble();
        double cost =
                JoinChoice.cost(
                        chain.rows,
                        estimates.read(right).orElse(0),
                        LookupSide.of(next, estimates.generated())
                                .map(lookup -> estimates.lookups(next, lookup)));
        List<Integer> longer = new ArrayList<>(chain.sides);
        longer.add(side);
        // All later joins process the rows that come out.
        return new Chain(longer, next, found, chain.cost + cost + found);
    }

    /// The place of the first field of a side if the sides are in this order.
    private int first(List<Integer> order, int side) {
        int first = 0;
        for (int before : order) {
            if (before == side) {
                return first;
            }
            first += sides.get(before).width;
        }
        throw new IllegalArgumentException("side " + side + " is not joined yet");
    }

    private int[] places(int fields, List<Integer> order) {
        int[] found = new int[fields];
        for (int number : order) {
            Side side = sides.get(number);
            for (int field = 0; field < side.width; field++) {
                found[side.first + field] = first(order, number) + field;
            }
        }
        return found;
    }

    /// Collects sides and equalities. False if a key expression reads several sides.
    private boolean flatten(Relation relation, int first) {
        Relation.Join inner = inner(relation);
        if (inner == null) {
            sides.add(new Side(relation, first, relation.fields().size()));
            return true;
        }
        int right = first + inner.left().fields().size();
        if (!flatten(inner.left(), first) || !flatten(inner.right(), right)) {
            return false;
        }
        for (int index = 0; index < inner.leftKeys().size(); index++) {
            Typed leftKey = shifted(inner.leftKeys().get(index), first);
            Typed rightKey = shifted(inner.rightKeys().get(index), right);
            int leftSide = side(leftKey);
            int rightSide = side(rightKey);
            if (leftSide < 0 || rightSide < 0) {
                return false;
            }
            equalities.add(
                    new Equality(
                            leftSide,
                            shifted(leftKey, -sides.get(leftSide).first),
                            rightSide,
                            shifted(rightKey, -sides.get(rightSide).first)));
        }
        return true;
    }

    /// The INNER join that the relation is, with the terms of a WHERE above it moved into its
    /// sides. Null if it is not part of a chain.
    private static Relation.@Nullable Join inner(Relation relation) {
        Relation found = relation;
        if (relation instanceof Relation.Filter(Relation.Join join, Typed predicate)) {
            found = JoinFilters.push(join, predicate).orElse(relation);
        }
        return found instanceof Relation.Join join
                        && join.kind() == JoinKind.INNER
                        && !join.leftKeys().isEmpty()
                        && !join.nullsMatch()
                ? join
                : null;
    }

    /// The only side that the expression reads; -1 if it reads none or several.
    private int side(Typed key) {
        int found = -1;
        for (int input : TypedTree.inputs(key)) {
            for (int number = 0; number < sides.size(); number++) {
                Side side = sides.get(number);
                if (input >= side.first && input < side.first + side.width) {
                    if (found >= 0 && found != number) {
                        return -1;
                    }
                    found = number;
                }
            }
        }
        return found;
    }

    private static Typed shifted(Typed expression, int by) {
        return by == 0
                ? expression
                : TypedTree.mapInputs(
                        expression,
                        part ->
                                part instanceof Typed.Input(Type type, int index)
                                        ? new Typed.Input(type, index + by)
                                        : part);
    }
}
