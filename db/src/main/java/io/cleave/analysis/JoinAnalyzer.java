package io.cleave.analysis;

import io.cleave.base.Issue.Position;
import io.cleave.value.Order;
import io.cleave.yql.Expression;
import io.cleave.yql.Expression.BinaryOperator;
import io.cleave.yql.Query.JoinCondition;
import io.cleave.yql.Query.Source;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// Joins: which expressions of the two sides have to be equal, and what the columns of both are
/// called afterwards.
final class JoinAnalyzer {
    private final AnalysisContext context;
    private final SourceAnalyzer sources;
    private final @Nullable Bindings bindings;

    /// Pairs of columns of the two sides that are equal and have one name.
    private record Twin(int left, int right) {}

    private final List<Typed> leftKeys = new ArrayList<>();
    private final List<Typed> rightKeys = new ArrayList<>();
    private final List<Twin> twins = new ArrayList<>();

    JoinAnalyzer(AnalysisContext context, SourceAnalyzer sources, @Nullable Bindings bindings) {
        this.context = context;
        this.sources = sources;
        this.bindings = bindings;
    }

    RowSource analyze(Source.Joined joined) {
        JoinKind kind = kind(joined);
        RowSource left = sources.analyze(joined.left());
        RowSource right = sources.analyze(joined.right());
        switch (joined.condition()) {
            case JoinCondition.None _ -> {
                if (kind != JoinKind.CROSS) {
                    throw AnalysisContext.error(
                            joined.at(), "Expected ON or USING behind " + kind.words() + " JOIN");
                }
            }
            case JoinCondition.On(Expression predicate) -> on(predicate, left, right);
            case JoinCondition.Using(List<String> columns) ->
                    columns.forEach(
                            name ->
                                    addKey(
                                            joined.at(),
                                            left.find(joined.at(), Optional.empty(), name),
                                            right.find(joined.at(), Optional.empty(), name),
                                            left,
                                            right));
        }
        var join = new Relation.Join(kind, left.relation(), right.relation(), leftKeys, rightKeys);
        return new RowSource(join, columns(join, left, right));
    }

    private static JoinKind kind(Source.Joined joined) {
        return switch (joined.kind()) {
            case INNER -> JoinKind.INNER;
            case LEFT -> JoinKind.LEFT;
            case RIGHT -> JoinKind.RIGHT;
            case FULL -> JoinKind.FULL;
            case CROSS -> JoinKind.CROSS;
            case LEFT_SEMI -> JoinKind.LEFT_SEMI;
            case RIGHT_SEMI -> JoinKind.RIGHT_SEMI;
            case LEFT_ONLY -> JoinKind.LEFT_ONLY;
            case RIGHT_ONLY -> JoinKind.RIGHT_ONLY;
            case EXCLUSION -> JoinKind.EXCLUSION;
        };
    }

    private void on(Expression predicate, RowSource left, RowSource right) {
        if (predicate instanceof Expression.Binary(_, BinaryOperator operator, var l, var r)) {
            if (operator == BinaryOperator.AND) {
                on(l, left, right);
                on(r, left, right);
                return;
            }
            if (operator == BinaryOperator.EQUAL) {
                equality(predicate.at(), l, r, left, right);
                return;
            }
        }
        throw AnalysisContext.error(
                predicate.at(), "JOIN ON expression must be a conjunction of equality predicates");
    }

    private void equality(
            Position at, Expression one, Expression other, RowSource left, RowSource right) {
        RowSource both = concat(left, right);
        var scope = new RowScope(context, bindings, both);
        Typed first = scope.analyze(one);
        Typed second = scope.analyze(other);
        int width = left.columns().size();
        if (reads(first, 0, width) && reads(second, width, both.columns().size())) {
            addKey(at, first, shifted(second, width), left, right);
        } else if (reads(second, 0, width) && reads(first, width, both.columns().size())) {
            addKey(at, second, shifted(first, width), left, right);
        } else {
            throw AnalysisContext.error(
                    at, "JOIN ON: each side of the equality must be an expression of one source");
        }
    }

    private static RowSource concat(RowSource left, RowSource right) {
        List<RowSource.Named> columns = new ArrayList<>(left.columns());
        int width = left.columns().size();
        for (RowSource.Named column : right.columns()) {
            int twin = column.twin() < 0 ? -1 : column.twin() + width;
            columns.add(new RowSource.Named(column.sources(), column.name(), column.type(), twin));
        }
        // The relation only tells that there are rows; the names decide.
        return new RowSource(left.relation(), columns);
    }

    /// Whether the expression reads columns, and all of them from there to there.
    private static boolean reads(Typed expression, int from, int to) {
        var inputs = TypedTree.inputs(expression);
        return !inputs.isEmpty() && inputs.first() >= from && inputs.last() < to;
    }

    private static Typed shifted(Typed expression, int width) {
        return TypedTree.mapInputs(
                expression,
                part ->
                        part instanceof Typed.Input(var type, int index)
                                ? new Typed.Input(type, index - width)
                                : part);
    }

    private void addKey(
            Position at, Typed leftKey, Typed rightKey, RowSource left, RowSource right) {
        if (!Order.isComparable(leftKey.type(), rightKey.type())) {
            throw AnalysisContext.error(
                    at,
                    "Can't compare " + leftKey.type().text() + " with " + rightKey.type().text());
        }
        leftKeys.add(leftKey);
        rightKeys.add(rightKey);
        if (leftKey instanceof Typed.Input(_, int leftIndex)
                && rightKey instanceof Typed.Input(_, int rightIndex)
                && left.columns()
                        .get(leftIndex)
                        .name()
                        .equals(right.columns().get(rightIndex).name())) {
            twins.add(new Twin(leftIndex, rightIndex));
        }
    }

    private List<RowSource.Named> columns(Relation.Join join, RowSource left, RowSource right) {
        List<RowSource.Named> names =
                switch (join.kind()) {
                    case LEFT_SEMI, LEFT_ONLY -> left.columns();
                    case RIGHT_SEMI, RIGHT_ONLY -> right.columns();
                    case INNER, CROSS, LEFT, RIGHT, FULL, EXCLUSION ->
                            concat(left, right).columns();
                };
        boolean bothSides = names.size() > Math.max(left.columns().size(), right.columns().size());
        int width = left.columns().size();
        List<RowSource.Named> columns = new ArrayList<>();
        for (int index = 0; index < names.size(); index++) {
            RowSource.Named name = names.get(index);
            int twin = bothSides ? twinOf(index, width, name.twin()) : name.twin();
            columns.add(
                    new RowSource.Named(
                            name.sources(), name.name(), join.fields().get(index).type(), twin));
        }
        return columns;
    }

    private int twinOf(int index, int width, int known) {
        for (Twin twin : twins) {
            if (index == twin.left()) {
                return twin.right() + width;
            }
            if (index == twin.right() + width) {
                return twin.left();
            }
        }
        return known;
    }
}
