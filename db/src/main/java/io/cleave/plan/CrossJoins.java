package io.cleave.plan;

import io.cleave.analysis.JoinKind;
import io.cleave.analysis.Relation;
import io.cleave.analysis.Typed;
import io.cleave.analysis.Typed.Comparison;
import io.cleave.analysis.TypedTree;
import io.cleave.value.Type;
import io.cleave.value.Type.Primitive;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/// Makes INNER joins of CROSS joins: an equality of the WHERE above them between two sides becomes
/// their keys, and everything else of it stays a filter. So does, above INNER joins, an equality
/// with a column of a table's key, by which its rows can be found.
///
/// In a chain, sides come in their written order, but for those that nothing ties to the ones
/// before: they wait until something does.
final class CrossJoins {
    /// What is joined; `first` is its first field among those of the whole chain.
    private record Side(Relation relation, int first, int width) {}

    /// Two expressions over the fields of the chain that have to be equal, and the sides that each
    /// reads. `term` is what says so in the WHERE; nothing where a join does.
    private record Equality(
            Typed one,
            Set<Integer> oneSides,
            Typed other,
            Set<Integer> otherSides,
            Optional<Typed> term) {
        /// Whether it can be a key of the join of `side` to those before.
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

    /// The rows of the join for which the predicate is true, by fewer CROSS joins; nothing if there
    /// is no way.
    static Optional<Relation> keyed(Relation.Join join, Typed predicate) {
        return new CrossJoins().find(join, predicate);
    }

    private Optional<Relation> find(Relation.Join join, Typed predicate) {
        flatten(join, 0);
        if (sides.size() == 1) {
            return Optional.empty();
        }
        addKeys(join, 0);
        List<Typed> terms = TableReads.terms(predicate);
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
        // What no join could take, as it reads several sides on either side of its sign.
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
        return join.kind() == JoinKind.CROSS || join.kind() == JoinKind.INNER;
    }

    /// The keys that the joins of the chain have already.
    private void addKeys(Relation relation, int first) {
        if (!(relation instanceof Relation.Join join) || !isInChain(join)) {
            return;
        }
        int right = first + join.left().fields().size();
        addKeys(join.left(), first);
        addKeys(join.right(), right);
        for (int index = 0; index < join.leftKeys().size(); index++) {
            Typed one = shifted(join.leftKeys().get(index), first);
            Typed other = shifted(join.rightKeys().get(index), right);
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

    /// Whether a join finds it equal to just what `=` does: of NaN, and of NULLs within a value, it
    /// thinks otherwise. And it is not to be worked out more or less often than is written, where
    /// that can be seen.
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
        return KeyColumns.has(side.relation, field - side.first);
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

    /// The first side that is tied to those before, or else the first one.
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

    /// Takes the equalities that become keys.
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

    /// With the fields where the written join has them.
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

    /// Where a field of the chain is when these sides stand in this order.
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

    private static Typed shifted(Typed expression, int by) {
        return TypedTree.mapInputs(
                expression,
                part ->
                        part instanceof Typed.Input(Type type, int index)
                                ? new Typed.Input(type, index + by)
                                : part);
    }
}
