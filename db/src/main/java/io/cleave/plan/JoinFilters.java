package io.cleave.plan;

import io.cleave.analysis.Relation;
import io.cleave.analysis.Typed;
import io.cleave.analysis.TypedTree;
import io.cleave.value.Type;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// Moves the parts of a WHERE above a join that read one side only down to that side, where they
/// can become key ranges. What draws by chance, or refuses rows, stays: on one side there are rows
/// that the join leaves out, and each is there once.
final class JoinFilters {
    private JoinFilters() {}

    /// The join with parts of the predicate moved, or nothing when none can be.
    static Optional<Relation> push(Relation.Join join, Typed predicate) {
        int leftWidth = join.left().fields().size();
        List<Typed> left = new ArrayList<>();
        List<Typed> right = new ArrayList<>();
        List<Typed> above = new ArrayList<>();
        for (Typed term : TableReads.terms(predicate)) {
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
        Relation pushed =
                new Relation.Join(
                        join.kind(),
                        filtered(join.left(), predicate.type(), left),
                        filtered(join.right(), predicate.type(), right),
                        join.leftKeys(),
                        join.rightKeys());
        return Optional.of(filtered(pushed, predicate.type(), above));
    }

    /// A side whose rows come out even without a match may be filtered before: those taken away
    /// would not have passed the WHERE.
    private static boolean leftMayFilter(Relation.Join join) {
        return switch (join.kind()) {
            case INNER, LEFT, CROSS, LEFT_SEMI, LEFT_ONLY -> true;
            case RIGHT, FULL, RIGHT_SEMI, RIGHT_ONLY, EXCLUSION -> false;
        };
    }

    private static boolean rightMayFilter(Relation.Join join) {
        return switch (join.kind()) {
            case INNER, RIGHT, CROSS -> true;
            case LEFT, FULL, LEFT_SEMI, LEFT_ONLY, RIGHT_SEMI, RIGHT_ONLY, EXCLUSION -> false;
        };
    }

    private static Typed shifted(Typed term, int width) {
        return TypedTree.mapInputs(
                term,
                part ->
                        part instanceof Typed.Input(Type type, int index)
                                ? new Typed.Input(type, index - width)
                                : part);
    }

    private static Relation filtered(Relation rows, Type type, List<Typed> terms) {
        return switch (terms.size()) {
            case 0 -> rows;
            case 1 -> new Relation.Filter(rows, terms.getFirst());
            default -> new Relation.Filter(rows, new Typed.And(type, terms));
        };
    }
}
