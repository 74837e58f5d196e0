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

/// Moves the terms of a WHERE above a join that read only one side down to that side, where they
/// can become key ranges. Terms that use random values or may fail stay above the join: below it
/// they would be evaluated for rows that the join leaves out, and a different number of times.
final class JoinFilters {
    private JoinFilters() {}

    /// The join with terms of the predicate moved down; empty if none can be moved.
    static Optional<Relation> push(Relation.Join join, Typed predicate) {
        // If the join returns only right rows, the WHERE reads only these.
        int leftWidth = givesRight(join) ? 0 : join.left().fields().size();
        List<Typed> left = new ArrayList<>();
        List<Typed> right = new ArrayList<>();
        List<Typed> above = new ArrayList<>();
        for (Typed term : TableReadPlanner.terms(predicate)) {
            var inputs = TypedTree.inputs(term);
            if (!Nodes.isMovable(term)) {
                above.add(term);
            } else if (!inputs.isEmpty() && inputs.last() < leftWidth && leftMayFilter(join)) {
                left.add(term);
            } else if (!inputs.isEmpty() && inputs.first() >= leftWidth && rightMayFilter(join)) {
                right.add(shifted(term, leftWidth));
            } else {
                above.add(term);
            }
        }
        if (left.isEmpty() && right.isEmpty()) {
            return Optional.empty();
        }
        addKnown(join, left, right);
        Relation pushed =
                new Relation.Join(
                        join.kind(),
                        filtered(join.left(), left),
                        filtered(join.right(), right),
                        join.leftKeys(),
                        join.rightKeys(),
                        join.nullsMatch());
        return Optional.of(
                above.isEmpty() ? pushed : new Relation.Filter(pushed, IndexReads.and(above)));
    }

    /// If a column equals a value, and the join makes it equal to a key column of the other side,
    /// then only rows of the other side with this value match. Adds this equality to the terms of
    /// the other side.
    private static void addKnown(Relation.Join join, List<Typed> left, List<Typed> right) {
        List<Typed> ofLeft = List.copyOf(left);
        if (leftMayFilter(join) && join.kind() != JoinKind.CROSS) {
            addKnown(ofLeft, join.leftKeys(), join.right(), join.rightKeys(), right);
        }
        if (rightMayFilter(join) && join.kind() != JoinKind.CROSS) {
            addKnown(List.copyOf(right), join.rightKeys(), join.left(), join.leftKeys(), left);
        }
    }

    private static void addKnown(
            List<Typed> terms,
            List<Typed> keys,
            Relation other,
            List<Typed> otherKeys,
            List<Typed> otherTerms) {
        for (int index = 0; index < keys.size(); index++) {
            if (!(keys.get(index) instanceof Typed.Input(Type type, int column))
                    || !(otherKeys.get(index) instanceof Typed.Input otherKey)
                    || !type.unwrapped().equals(otherKey.type().unwrapped())
                    || !CrossJoins.isKey(otherKey)
                    || !KeyColumnCheck.has(other, otherKey.index())
                    || isKnown(other, otherKey, otherTerms)) {
                continue;
            }
            terms.stream()
                    .map(term -> KnownEqualities.value(term, column))
                    .flatMap(Optional::stream)
                    .findFirst()
                    .ifPresent(value -> otherTerms.add(equal(otherKey, value)));
        }
    }

    private static boolean isKnown(Relation side, Typed.Input column, List<Typed> terms) {
        return KnownEqualities.has(side, column.index())
                || terms.stream()
                        .anyMatch(term -> KnownEqualities.value(term, column.index()).isPresent());
    }

    private static Typed equal(Typed column, Typed value) {
        boolean optional = column.type().isOptional() || value.type().isOptional();
        Type type = optional ? Primitive.BOOL.optional() : Primitive.BOOL;
        return new Typed.Compare(type, Comparison.EQUAL, column, value);
    }

    /// Whether the left side may be filtered below the join. It may even if its rows are returned
    /// without a match: rows removed below would not pass the WHERE above.
    private static boolean leftMayFilter(Relation.Join join) {
        return switch (join.kind()) {
            case INNER, LEFT, CROSS, LEFT_SEMI, LEFT_ONLY -> true;
            case RIGHT, FULL, RIGHT_SEMI, RIGHT_ONLY, EXCLUSION -> false;
        };
    }

    private static boolean rightMayFilter(Relation.Join join) {
        return switch (join.kind()) {
            case INNER, RIGHT, CROSS, RIGHT_SEMI, RIGHT_ONLY -> true;
            case LEFT, FULL, LEFT_SEMI, LEFT_ONLY, EXCLUSION -> false;
        };
    }

    private static boolean givesRight(Relation.Join join) {
        return join.kind() == JoinKind.RIGHT_SEMI || join.kind() == JoinKind.RIGHT_ONLY;
    }

    private static Typed shifted(Typed term, int width) {
        return TypedTree.mapInputs(
                term,
                part ->
                        part instanceof Typed.Input(Type type, int index)
                                ? new Typed.Input(type, index - width)
                                : part);
    }

    /// Filters the rows by the terms, as close to the table as possible: below a projection that
    /// only chooses columns, and together with an existing WHERE.
    private static Relation filtered(Relation rows, List<Typed> terms) {
        if (terms.isEmpty()) {
            return rows;
        }
        if (rows instanceof Relation.Project project && LookupSide.isChoice(project)) {
            List<Typed> below =
                    terms.stream().map(term -> LookupSide.mapped(term, project)).toList();
            return new Relation.Project(
                    filtered(project.input(), below), project.values(), project.fields());
        }
        if (rows instanceof Relation.Filter(Relation input, Typed predicate)
                && Nodes.isMovable(predicate)) {
            List<Typed> all = new ArrayList<>(TableReadPlanner.terms(predicate));
            all.addAll(terms);
            return new Relation.Filter(input, IndexReads.and(all));
        }
        return new Relation.Filter(rows, IndexReads.and(terms));
    }
}
