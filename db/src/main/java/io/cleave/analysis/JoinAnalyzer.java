package io.cleave.analysis;

import io.cleave.base.Issue.Position;
import io.cleave.function.call.Dialect;
import io.cleave.typed.JoinKind;
import io.cleave.typed.Relation;
import io.cleave.typed.Typed;
import io.cleave.typed.TypedTree;
import io.cleave.value.Order;
import io.cleave.yql.Expression;
import io.cleave.yql.Expression.BinaryOperator;
import io.cleave.yql.Query.JoinCondition;
import io.cleave.yql.Query.Source;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;

/// Joins: finds the expressions of the two sides that have to be equal, and names the columns of
/// the result.
final class JoinAnalyzer {
    private final AnalysisContext context;
    private final SourceAnalyzer sources;
    private final @Nullable Bindings bindings;

    /// Two columns of the same name, one of each side, that the join condition makes equal. If
    /// several columns of a side are equal, the first is used.
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
        RowSource left = sources.analyze(side(joined.left()));
        RowSource right = sources.analyze(side(joined.right()));
        refuseSameNames(joined.at(), left, right);
        switch (joined.condition()) {
            case JoinCondition.None _ -> {
                if (kind != JoinKind.CROSS) {
                    throw AnalysisContext.error(
                            joined.at(), "Expected ON or USING behind " + kind.words() + " JOIN");
                }
            }
            case JoinCondition.On(Expression predicate) -> on(predicate, left, right);
            case JoinCondition.Using(List<String> columns) ->
                    columns.forEach(name -> using(joined.at(), name, left, right));
        }
        var join =
                new Relation.Join(
                        kind,
                        rows(joined.left(), left, leftKeys),
                        rows(joined.right(), right, rightKeys),
                        leftKeys,
                        rightKeys);
        return new RowSource(join, columns(join, left, right));
    }

    /// Throws if both sides have a source of the same name: qualified column names would be
    /// ambiguous.
    private static void refuseSameNames(Position at, RowSource left, RowSource right) {
        Set<String> names = new HashSet<>();
        for (RowSource.Named column : left.columns()) {
            column.sources().stream().findFirst().ifPresent(names::add);
        }
        for (RowSource.Named column : right.columns()) {
            if (column.sources().stream().findFirst().filter(names::contains).isPresent()) {
                throw AnalysisContext.error(
                        at, "JOIN: different correlation names are required for joined tables");
            }
        }
    }

    private static Source side(Source source) {
        return source instanceof Source.Any any ? any.source() : source;
    }

    /// For a side with ANY, keeps one row for each key.
    private static Relation rows(Source source, RowSource side, List<Typed> keys) {
        if (!(source instanceof Source.Any any)) {
            return side.relation();
        }
        if (keys.isEmpty()) {
            throw AnalysisContext.error(any.at(), "ANY has no meaning in a CROSS JOIN");
        }
        return new Relation.FirstOfKey(side.relation(), keys);
    }

    private void using(Position at, String name, RowSource left, RowSource right) {
        Typed leftKey = left.find(at, Optional.empty(), name);
        Typed rightKey = right.find(at, Optional.empty(), name);
        addKey(at, leftKey, rightKey);
        List<Integer> leftMatches = left.matches(Optional.empty(), name);
        List<Integer> rightMatches = right.matches(Optional.empty(), name);
        if (!leftMatches.isEmpty() && !rightMatches.isEmpty()) {
            twins.add(
                    new Twin(
                            left.first(leftMatches.getFirst()),
                            right.first(rightMatches.getFirst())));
        }
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
        var oneScope = new NamesScope(context, bindings, both);
        var otherScope = new NamesScope(context, bindings, both);
        Typed first = oneScope.analyze(one);
        Typed second = otherScope.analyze(other);
        int width = left.columns().size();
        int bothWidth = both.columns().size();
        if (oneScope.names(0, width) && otherScope.names(width, bothWidth)) {
            addKey(at, first, shifted(second, width));
            addTwins(first, shifted(second, width), left, right);
        } else if (otherScope.names(0, width) && oneScope.names(width, bothWidth)) {
            addKey(at, second, shifted(first, width));
            addTwins(second, shifted(first, width), left, right);
        } else {
            throw AnalysisContext.error(
                    at,
                    "JOIN: each equality predicate argument must depend on exactly one JOIN"
                            + " input");
        }
    }

    private static RowSource concat(RowSource left, RowSource right) {
        List<RowSource.Named> columns = new ArrayList<>(left.columns());
        int width = left.columns().size();
        for (RowSource.Named column : right.columns()) {
            int twin = column.twin() < 0 ? -1 : column.twin() + width;
            columns.add(
                    new RowSource.Named(
                            column.sources(),
                            column.name(),
                            column.type(),
                            twin,
                            column.complete()));
        }
        // The relation only indicates that there are rows. Names are resolved by the columns.
        return new RowSource(left.relation(), columns);
    }

    /// Records which columns an expression names. This can be more than the columns that it reads,
    /// as in `COALESCE(1, a.x)`.
    private static final class NamesScope extends RowScope {
        private final SortedSet<Integer> named = new TreeSet<>();

        NamesScope(AnalysisContext context, @Nullable Bindings bindings, RowSource source) {
            super(context, bindings, source);
        }

        @Override
        public Typed column(Position at, Optional<String> from, String name) {
            return noted(super.column(at, from, name));
        }

        @Override
        public Typed row(Position at) {
            return noted(super.row(at));
        }

        @Override
        public Typed joinRow(Position at) {
            return noted(super.joinRow(at));
        }

        private Typed noted(Typed value) {
            named.addAll(TypedTree.inputs(value));
            return value;
        }

        /// Whether the expression names at least one column, and only columns in this range.
        boolean names(int from, int to) {
            return !named.isEmpty() && named.first() >= from && named.last() < to;
        }
    }

    private static Typed shifted(Typed expression, int width) {
        return TypedTree.mapInputs(
                expression,
                part ->
                        part instanceof Typed.Input(var type, int index)
                                ? new Typed.Input(type, index - width)
                                : part);
    }

    private void addKey(Position at, Typed leftKey, Typed rightKey) {
        if (!Order.isComparable(leftKey.type(), rightKey.type())) {
            throw AnalysisContext.error(
                    at,
                    "Can't compare " + leftKey.type().text() + " with " + rightKey.type().text());
        }
        if (context.dialect().has(Dialect.Option.STRICT_JOIN_KEYS)
                && !leftKey.type().unwrapped().equals(rightKey.type().unwrapped())) {
            throw AnalysisContext.error(
                    at,
                    "Strict key type match requested, but keys have different types: %s and %s"
                            .formatted(leftKey.type().text(), rightKey.type().text()));
        }
        leftKeys.add(leftKey);
        rightKeys.add(rightKey);
    }

    /// Records a pair of columns with the same name that the condition makes equal.
    private void addTwins(Typed leftKey, Typed rightKey, RowSource left, RowSource right) {
        if (leftKey instanceof Typed.Input(_, int leftIndex)
                && rightKey instanceof Typed.Input(_, int rightIndex)) {
            String name = left.columns().get(leftIndex).name();
            if (name.equals(right.columns().get(rightIndex).name())) {
                twins.add(new Twin(left.first(leftIndex), right.first(rightIndex)));
            }
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
        boolean bothSides = names.size() == left.columns().size() + right.columns().size();
        int width = left.columns().size();
        List<RowSource.Named> columns = new ArrayList<>();
        for (int index = 0; index < names.size(); index++) {
            RowSource.Named name = names.get(index);
            boolean fromRight = index >= width;
            columns.add(
                    new RowSource.Named(
                            name.sources(),
                            name.name(),
                            join.fields().get(index).type(),
                            bothSides && fromRight
                                    ? twinOf(index, width, name.twin())
                                    : name.twin(),
                            name.complete() && !mayMiss(join.kind(), fromRight)));
        }
        return columns;
    }

    /// Whether a row of the join may lack the given side.
    private static boolean mayMiss(JoinKind kind, boolean right) {
        return switch (kind) {
            case FULL, EXCLUSION -> true;
            case LEFT -> right;
            case RIGHT -> !right;
            case INNER, CROSS, LEFT_SEMI, RIGHT_SEMI, LEFT_ONLY, RIGHT_ONLY -> false;
        };
    }

    /// The first twin of a column of the right side. `known` is its first twin within the right
    /// side, or -1.
    private int twinOf(int index, int width, int known) {
        int first = known < 0 ? index : known;
        for (Twin twin : twins) {
            if (first == twin.right() + width) {
                return twin.left();
            }
        }
        return known;
    }
}
