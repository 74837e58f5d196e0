package io.cleave.yql;

import io.cleave.base.Issue.Position;
import io.cleave.value.Type;
import io.cleave.value.Value;
import io.cleave.yql.Expression.Argument;
import io.cleave.yql.Expression.Call;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/// Rewrites `SUM(x) FILTER (WHERE p)` without FILTER. An aggregate that skips NULL gets NULL where
/// the predicate does not hold. An aggregate with its own condition gets both conditions joined by
/// AND.
final class AggregateFilter {
    private static final Set<String> SKIP_NULL =
            Set.of(
                    "count",
                    "sum",
                    "avg",
                    "min",
                    "max",
                    "some",
                    "agglist",
                    "agglistdistinct",
                    "aggregatelist",
                    "aggregatelistdistinct",
                    "stddev",
                    "stddevsample",
                    "stddevpopulation",
                    "variance",
                    "variancesample",
                    "variancepopulation",
                    "median",
                    "percentile");

    private static final Set<String> CONDITIONAL = Set.of("countif", "sumif", "avgif");

    private AggregateFilter() {}

    static Call filtered(Call call, Expression predicate) {
        String name = call.plainName();
        List<Argument> arguments = new ArrayList<>(call.arguments());
        if (call.module().isEmpty() && name.equals("count") && call.star()) {
            return new Call(
                    call.at(),
                    Optional.empty(),
                    "COUNT_IF",
                    List.of(new Argument(Optional.empty(), predicate)),
                    false,
                    false,
                    call.over());
        }
        if (call.module().isPresent() || arguments.isEmpty()) {
            throw refused(call);
        }
        if (SKIP_NULL.contains(name)) {
            arguments.set(0, argument(orNull(predicate, arguments.getFirst().value())));
        } else if (CONDITIONAL.contains(name)) {
            arguments.set(
                    arguments.size() - 1,
                    argument(
                            new Expression.Binary(
                                    predicate.at(),
                                    Expression.BinaryOperator.AND,
                                    arguments.getLast().value(),
                                    predicate)));
        } else {
            throw refused(call);
        }
        return call.withArguments(arguments);
    }

    private static Argument argument(Expression value) {
        return new Argument(Optional.empty(), value);
    }

    private static Expression orNull(Expression predicate, Expression value) {
        Position at = value.at();
        var absent = new Expression.Literal(at, Type.Unit.NULL, Value.Null.NULL);
        return Call.of(at, "IF", List.of(predicate, value, absent));
    }

    private static RuntimeException refused(Call call) {
        return Places.unsupported(call.at(), "FILTER behind " + call.name());
    }
}
