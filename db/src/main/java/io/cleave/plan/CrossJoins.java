package io.cleave.plan;

import io.cleave.typed.JoinKind;
import io.cleave.typed.Relation;
import io.cleave.typed.Typed;
import io.cleave.typed.Typed.Comparison;
import io.cleave.typed.TypedTree;
import io.cleave.value.Type;
import io.cleave.value.Type.Primitive;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/// Turns CROSS joins into INNER joins. An equality between two sides in the WHERE above them
/// becomes a key of a join. The other terms of the WHERE stay a filter. In a chain of INNER joins
/// only, an equality becomes a key if one of its operands is a key column of a table, by which rows
/// can be looked up.
///
/// The sides of a chain are joined in their written order. A side that no equality connects to the
/// sides before it is postponed until one does.
final class CrossJoins {
    /// One side of the chain. `first` is the position of its first field among the fields of the
    /// whole chain.
    private record Side(Relation relation, int first, int width) {}

    /// Two expressions over the fields of the chain that must be equal, and the sides that each of
    /// them reads. `term` is the term of the WHERE; empty if the equality is a key of a written
    /// join.
    private record Equality(
            Typed one,
            Set<Integer> oneSides,
            Typed other,
            Set<Integer> otherSides,
            Optional<Typed> term) {
        /// Whether the equality can be a key of the join of `side` with the sides before.
        boolean ties(List<Integer> before, int side) {
            return isKey(oneSides, otherSides, before, side)
                    || isKey(otherSides, oneSides, before, side);
        }

        private static boolean isKey(
                Set<Integer> left, Set<Integer> right, List<Integer> before, int side) {
            return right.equals(Set.of(side)) && before.containsAll(left);
        }
    }

    private final List<Side> sides = new ArrayList<>();
    private final List<Equality> equalities = new ArrayList<>();
    private final List<Typed> rest = new ArrayList<>();
    private boolean crosses;

    private CrossJoins() {}

    /// The rows of the join for which the predicate is true, with fewer CROSS joins or more keys.
    /// Empty if nothing can be improved.
    static Optional<Relation> keyed(Relation.Join join, Typed predicate) {
        return new CrossJoins().find(join, predicate);
    }

    private Optional<Relation> find(Relation.Join join, Typed predicate) {
        flatten(join, 0);
        if (sides.size() == 1) {
            return Optional.empty();
        }
        addKeys(join, 0);
        List<Typed> terms = TableReadPlanner.terms(predicate);
        terms.forEach(this::addTerm);
        if (rest.size() == terms.size()) {
            return Optional.empty();
        }
        Relation joined = sides.getFirst().relation;
        List<Integer> order = new ArrayList<>(List.of(0));
        while (order.size() < sides.size()) {
            int side = next(order);
            joined = with(joined, order, side);
            order.add(side);
        }
        // Equalities that are no key of any join, because an operand reads several sides.
        for (Equality left : equalities) {
            if (left.term.isEmpty()) {
                return Optional.empty();
            }
            rest.add(left.term.get());
        }
        return rest.size() == terms.size()
                ? Optional.empty()
                : Optional.of(asWritten(join, filtered(joined, predicate.type(), order), order));
    }

    private void flatten(Relation relation, int first) {
        if (relation instanceof Relation.Join join && isInChain(join)) {
            crosses |= join.kind() == JoinKind.CROSS;
            flatten(join.left(), first);
            flatten(join.right(), first + join.left().fields().size());
        } else {
            sides.add(new Side(relation, first, relation.fields().size()));
        }
    }

    private static boolean isInChain(Relation.Join join) {
        return join.kind() == JoinKind.CROSS
                || (join.kind() == JoinKind.INNER && !join.nullsMatch());
    }

    /// Adds the keys that the joins of the chain already have.
    private void addKeys(Relation relation, int first) {
        if (!(relation instanceof Relation.Join join) || !isInChain(join)) {
            return;
        }
        int right = first + join.left().fields().size();
        addKeys(join.left(), first);
        addKeys(join.right(), right);
        for (int index = 0; index < join.leftKeys().size(); index++) {
            Typed one = TypedTree.shiftInputs(join.leftKeys().get(index), first);
            Typed other = TypedTree.shiftInputs(join.rightKeys().get(index), right);
            equalities.add(
                    new Equality(one, sidesOf(one), other, sidesOf(other), Optional.empty()));
        }
    }

    private void addTerm(Typed term) {
        if (term instanceof Typed.Compare(_, Comparison comparison, Typed one, Typed other)
                && comparison == Comparison.EQUAL
                && isKey(one)
                && isKey(other)) {
            Set<Integer> oneSides = sidesOf(one);
            Set<Integer> otherSides = sidesOf(other);
            if (!oneSides.isEmpty()
                    && !otherSides.isEmpty()
                    && oneSides.stream().noneMatch(otherSides::contains)
                    && (crosses || isKeyColumn(one) || isKeyColumn(other))) {
                equalities.add(new Equality(one, oneSides, other, otherSides, Optional.of(term)));
                return;
            }
        }
        rest.add(term);
    }

    /// Whether a join key compares this expression exactly as `=` does. A join treats NaN, and
    /// NULLs inside a value, differently. The expression must also be movable, because a join may
    /// evaluate it more or less often than the WHERE.
    static boolean isKey(Typed expression) {
        return expression.type().unwrapped() instanceof Primitive type
                && type != Primitive.FLOAT
                && type != Primitive.DOUBLE
                && Nodes.isMovable(expression);
    }

    private boolean isKeyColumn(Typed expression) {
        if (!(expression instanceof Typed.Input(_, int field))) {
            return false;
        }
        Side side = sides.get(sidesOf(expression).iterator().next());
        return KeyColumnCheck.has(side.relation, field - side.first);
    }

    private Set<Integer> sidesOf(Typed expression) {
        Set<Integer> read = new TreeSet<>();
        for (int input : TypedTree.inputs(expression)) {
            int number = sides.size() - 1;
            while (sides.get(number).first > input) {
                number--;
            }
            read.add(number);
        }
        return read;
    }

    /// The first side that an equality connects to the sides before; otherwise the first remaining
    /// side.
    private int next(List<Integer> before) {
        int first = -1;
        for (int side = 0; side < sides.size(); side++) {
            int candidate = side;
            if (before.contains(side)) {
                continue;
            }
            if (equalities.stream().anyMatch(equality -> equality.ties(before, candidate))) {
                return side;
            }
            first = first < 0 ? side : first;
        }
        return first;
    }

    /// Joins the side. Removes the equalities that become keys from `equalities`.
    private Relation with(Relation joined, List<Integer> before, int side) {
        List<Typed> leftKeys = new ArrayList<>();
        List<Typed> rightKeys = new ArrayList<>();
        List<Equality> kept = new ArrayList<>();
        for (Equality equality : equalities) {
            if (!equality.ties(before, side)) {
                kept.add(equality);
                continue;
            }
            boolean turned = equality.oneSides.contains(side);
            leftKeys.add(placed(turned ? equality.other : equality.one, before));
            rightKeys.add(placed(turned ? equality.one : equality.other, List.of(side)));
        }
        equalities.clear();
        equalities.addAll(kept);
        return new Relation.Join(
                leftKeys.isEmpty() ? JoinKind.CROSS : JoinKind.INNER,
                joined,
                sides.get(side).relation,
                leftKeys,
                rightKeys);
    }

    private Relation filtered(Relation joined, Type type, List<Integer> order) {
        List<Typed> terms = rest.stream().map(term -> placed(term, order)).toList();
        return switch (terms.size()) {
            case 0 -> joined;
            case 1 -> new Relation.Filter(joined, terms.getFirst());
            default -> new Relation.Filter(joined, new Typed.And(type, terms));
        };
    }

    /// Projects the fields to the order of the written join.
    private Relation asWritten(Relation.Join join, Relation joined, List<Integer> order) {
        List<Typed> values = new ArrayList<>();
        boolean same = true;
        for (int field = 0; field < join.fields().size(); field++) {
            int place = place(field, order);
            same &= place == field;
            values.add(new Typed.Input(join.fields().get(field).type(), place));
        }
        return same ? joined : new Relation.Project(joined, values, join.fields());
    }

    private Typed placed(Typed expression, List<Integer> order) {
        return TypedTree.mapInputs(
                expression,
                part ->
                        part instanceof Typed.Input(Type type, int index)
                                ? new Typed.Input(type, place(index, order))
                                : part);
    }

    /// The place of a field of the chain if the sides are in this order.
    private int place(int field, List<Integer> order) {
        int from = 0;
        for (int number : order) {
            Side side = sides.get(number);
            if (field >= side.first && field < side.first + side.width) {
                return from + field - side.first;
            }
            from += side.width;
        }
        throw new IllegalArgumentException("field " + field + " is of no side in " + order);
    }
}
