package io.cleave.analysis;

import io.cleave.function.aggregate.Aggregates;
import io.cleave.yql.Expression;
import io.cleave.yql.Query;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.stream.Stream;

/// Checks whether an expression contains an aggregate call, before its names are resolved. It does
/// not look into subqueries, which have their own aggregation.
final class AggregateFinder {
    private AggregateFinder() {}

    /// Uses an explicit stack instead of recursion because expressions may be deep.
    static boolean in(Expression expression) {
        Deque<Expression> left = new ArrayDeque<>();
        left.push(expression);
        while (!left.isEmpty()) {
            Expression next = left.pop();
            if (isAggregate(next)) {
                return true;
            }
            children(next).forEach(left::push);
        }
        return false;
    }

    private static boolean isAggregate(Expression expression) {
        return expression instanceof Expression.Call call
                && call.module().isEmpty()
                && call.over().isEmpty()
                && Aggregates.isAggregate(call.name());
    }

    static boolean in(Expression.Window window) {
        return children(window).anyMatch(AggregateFinder::in);
    }

    private static Stream<Expression> children(Expression.Window window) {
        return Stream.concat(
                window.partition().stream().map(Expression.Argument::value),
                window.order().stream().map(Query.Order::key));
    }

    private static Stream<Expression> children(Expression expression) {
        return switch (expression) {
            case Expression.Literal _,
                    Expression.ColumnName _,
                    Expression.NamedValue _,
                    Expression.TypeName _,
                    Expression.SubQuery _,
                    Expression.Exists _ ->
                    Stream.of();
            case Expression.Unary unary -> Stream.of(unary.operand());
            case Expression.Binary binary -> Stream.of(binary.left(), binary.right());
            case Expression.Between between ->
                    Stream.of(between.operand(), between.low(), between.high());
            case Expression.In in -> Stream.of(in.operand(), in.collection());
            case Expression.Match match ->
                    Stream.concat(
                            Stream.of(match.operand(), match.pattern()), match.escape().stream());
            case Expression.IsNull isNull -> Stream.of(isNull.operand());
            case Expression.IsDistinctFrom distinct -> Stream.of(distinct.left(), distinct.right());
            case Expression.Case choice -> children(choice);
            case Expression.Cast cast -> Stream.of(cast.operand());
            case Expression.Call call ->
                    Stream.concat(
                            call.arguments().stream().map(Expression.Argument::value),
                            call.over().stream().flatMap(AggregateFinder::children));
            case Expression.TupleOf(_, List<Expression> items) -> items.stream();
            case Expression.ListOf(_, List<Expression> items) -> items.stream();
            case Expression.SetOf(_, List<Expression> items) -> items.stream();
            case Expression.StructOf struct ->
                    struct.members().stream().map(Expression.StructMember::value);
            case Expression.DictOf dict ->
                    dict.items().stream().flatMap(item -> Stream.of(item.key(), item.payload()));
            case Expression.Member member -> Stream.of(member.operand());
            case Expression.Element element -> Stream.of(element.operand(), element.index());
            case Expression.Lambda lambda -> Stream.of(lambda.result());
            case Expression.JsonCall json ->
                    Stream.concat(
                            Stream.of(json.document()),
                            json.variables().stream().map(Expression.Argument::value));
        };
    }

    private static Stream<Expression> children(Expression.Case choice) {
        return Stream.of(
                        choice.subject().stream(),
                        choice.whens().stream()
                                .flatMap(when -> Stream.of(when.condition(), when.result())),
                        choice.otherwise().stream())
                .flatMap(parts -> parts);
    }
}
