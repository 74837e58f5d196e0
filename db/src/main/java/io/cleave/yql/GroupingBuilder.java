package io.cleave.yql;

import io.cleave.base.Issue.Position;
import io.cleave.yql.Expression.Call;
import io.cleave.yql.Query.GroupKey;
import io.cleave.yql.Query.Grouping;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/// What stands behind GROUP BY. ROLLUP and CUBE are written like calls of functions.
final class GroupingBuilder {
    private final ExpressionBuilder expressions;

    GroupingBuilder(ExpressionBuilder expressions) {
        this.expressions = expressions;
    }

    List<Grouping> of(Yql.@Nullable GroupByContext context) {
        return context == null ? List.of() : elements(context.groupKey());
    }

    private List<Grouping> elements(List<Yql.GroupKeyContext> contexts) {
        List<Grouping> elements = new ArrayList<>();
        contexts.forEach(context -> elements.add(element(context)));
        return elements;
    }

    private Grouping element(Yql.GroupKeyContext context) {
        if (context.SETS() != null) {
            expressions.enter(1, context);
            var sets = new Grouping.Sets(elements(context.groupKey()));
            expressions.leave(1);
            return sets;
        }
        Expression value = expressions.expression(context.expression());
        if (value instanceof Call call && call.module().isEmpty()) {
            Position at = call.at();
            switch (call.name().toUpperCase(Locale.ROOT)) {
                case "ROLLUP" -> {
                    return new Grouping.Rollup(keys(call));
                }
                case "CUBE" -> {
                    return new Grouping.Cube(at, keys(call));
                }
                case "HOP", "HOPPINGWINDOW" ->
                        throw Places.unsupported(at, "GROUP BY " + call.name());
                default -> {}
            }
        }
        return new GroupKey(value, SourceBuilder.name(context.identifier()));
    }

    private static List<GroupKey> keys(Call call) {
        return call.arguments().stream()
                .map(argument -> new GroupKey(argument.value(), argument.name()))
                .toList();
    }
}
