package io.cleave.plan;

import io.cleave.analysis.JoinKind;
import io.cleave.analysis.Relation;
import io.cleave.analysis.Typed;
import io.cleave.analysis.Typed.Comparison;
import io.cleave.analysis.TypedTree;

import java.util.Optional;
import java.util.function.Predicate;

/// Columns that a WHERE says to have one value in all rows, which is known when the query runs.
final class KnownEqualities {
    private KnownEqualities() {}

    /// What the column is equal to, if that is all the term says.
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

    /// Whether some WHERE below says that the relation's field has one value in all rows.
    static boolean has(Relation relation, int field) {
        return has(relation, field, _ -> true);
    }

    /// Whether it says that the value is this one.
    static boolean has(Relation relation, int field, Typed value) {
        return has(relation, field, value::equals);
    }

    private static boolean has(Relation relation, int field, Predicate<Typed> value) {
        return switch (relation) {
            case Relation.Filter(Relation input, Typed predicate) ->
                    TableReads.terms(predicate).stream()
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
