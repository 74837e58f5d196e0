package io.cleave.plan;

import io.cleave.typed.JoinKind;
import io.cleave.typed.Relation;
import io.cleave.typed.Typed;
import io.cleave.typed.Typed.Comparison;
import io.cleave.typed.TypedTree;

import java.util.Optional;
import java.util.function.Predicate;

/// Finds columns that have the same value in all rows because of a WHERE. The value is known when
/// the query runs.
final class KnownEqualities {
    private KnownEqualities() {}

    /// The value that the column is equal to, if the term is such an equality.
    static Optional<Typed> value(Typed term, int column) {
        if (!(term instanceof Typed.Compare(_, Comparison comparison, Typed one, Typed other))
                || comparison != Comparison.EQUAL) {
            return Optional.empty();
        }
        if (isColumn(one, column) && TypedTree.isFixedInRun(other)) {
            return Optional.of(other);
        }
        return isColumn(other, column) && TypedTree.isFixedInRun(one)
                ? Optional.of(one)
                : Optional.empty();
    }

    private static boolean isColumn(Typed expression, int column) {
        return expression instanceof Typed.Input(_, int index) && index == column;
    }

    /// Whether a WHERE below gives the relation's field a single value in all rows.
    static boolean has(Relation relation, int field) {
        return has(relation, field, _ -> true);
    }

    /// Whether a WHERE below gives the relation's field this value in all rows.
    static boolean has(Relation relation, int field, Typed value) {
        return has(relation, field, value::equals);
    }

    private static boolean has(Relation relation, int field, Predicate<Typed> value) {
        return switch (relation) {
            case Relation.Filter(Relation input, Typed predicate) ->
                    TableReadPlanner.terms(predicate).stream()
                                    .anyMatch(term -> value(term, field).filter(value).isPresent())
                            || has(input, field, value);
            case Relation.Project project ->
                    project.values().get(field) instanceof Typed.Input(_, int below)
                            && has(project.input(), below, value);
            case Relation.Join join -> ofJoin(join, field, value);
            default -> false;
        };
    }

    private static boolean ofJoin(Relation.Join join, int field, Predicate<Typed> value) {
        int leftWidth = join.left().fields().size();
        return switch (join.kind()) {
            case INNER, CROSS, LEFT, LEFT_SEMI, LEFT_ONLY ->
                    field < leftWidth
                            ? has(join.left(), field, value)
                            : join.kind() != JoinKind.LEFT
                                    && has(join.right(), field - leftWidth, value);
            case RIGHT, FULL, RIGHT_SEMI, RIGHT_ONLY, EXCLUSION -> false;
        };
    }
}
