package io.cleave.yql;

import io.cleave.base.Issue.Position;
import io.cleave.yql.Expression.Call;
import io.cleave.yql.Query.GroupKey;
import io.cleave.yql.Query.Grouping;

import org.antlr.v4.runtime.tree.ParseTree;
import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// Builds the list after GROUP BY. ROLLUP and CUBE are written like function calls.
final class GroupingBuilder {
    private final ExpressionBuilder expressions;

    GroupingBuilder(ExpressionBuilder expressions) {
        this.expressions = expressions;
    }

    List<Grouping> of(Yql.@Nullable GroupByContext context) {
        List<Grouping> elements = new ArrayList<>();
        if (context != null) {
            for (Yql.GroupKeyContext key : context.groupKey()) {
                List<Yql.ArgumentContext> listed = listed(key);
                if (listed.isEmpty()) {
                    elements.add(element(key));
                }
                listed.forEach(each -> elements.add(key(each)));
            }
        }
        return elements;
    }

    /// The keys of a list: `GROUP BY (a, b)` has two keys, not one tuple.
    private static List<Yql.ArgumentContext> listed(Yql.GroupKeyContext key) {
        List<Yql.ArgumentContext> items =
                parenthesized(key).map(Yql.ParenthesizedContext::argument).orElse(List.of());
        if (key.anyName() != null && items.size() > 1) {
            throw Places.error(
                    Places.at(key), "Unable to use aliases for list of named expressions");
        }
        return key.anyName() == null ? items : List.of();
    }

    /// The parentheses, if the whole key is in parentheses.
    private static Optional<Yql.ParenthesizedContext> parenthesized(Yql.GroupKeyContext key) {
        if (key.expression() == null) {
            return Optional.empty();
        }
        ParseTree part = key.expression();
        while (part.getChildCount() == 1 && !(part instanceof Yql.ParenthesizedPrimaryContext)) {
            part = part.getChild(0);
        }
        return part instanceof Yql.ParenthesizedPrimaryContext primary
                        && primary.ARROW() == null
                        && primary.parenthesized().bareQuery() == null
                        && primary.parenthesized().combination().isEmpty()
                ? Optional.of(primary.parenthesized())
                : Optional.empty();
    }

    private GroupKey key(Yql.ArgumentContext item) {
        return new GroupKey(
                expressions.expression(item.expression()), SourceBuilder.name(item.anyName()));
    }

    /// The elements of GROUPING SETS. A list in parentheses, with or without aliases, is one set.
    private List<Grouping> sets(List<Yql.GroupKeyContext> contexts) {
        List<Grouping> elements = new ArrayList<>();
        for (Yql.GroupKeyContext context : contexts) {
            Optional<Yql.ParenthesizedContext> list =
                    context.anyName() == null ? parenthesized(context) : Optional.empty();
            elements.add(
                    list.isPresent()
                            ? new Grouping.Keys(
                                    list.get().argument().stream().map(this::key).toList())
                            : element(context));
        }
        return elements;
    }

    private Grouping element(Yql.GroupKeyContext context) {
        if (context.SETS() != null) {
            expressions.enter(1, context);
            var sets = new Grouping.Sets(sets(context.groupKey()));
            expressions.leave(1);
            return sets;
        }
        Expression value = expressions.expression(context.expression());
        if (value instanceof Call call && call.module().isEmpty()) {
            Position at = call.at();
            switch (call.plainName()) {
                case "rollup" -> {
                    return new Grouping.Rollup(keys(call));
                }
                case "cube" -> {
                    return new Grouping.Cube(at, keys(call));
                }
                default -> {}
            }
        }
        return new GroupKey(value, SourceBuilder.name(context.anyName()));
    }

    private static List<GroupKey> keys(Call call) {
        return call.arguments().stream()
                .map(argument -> new GroupKey(argument.value(), argument.name()))
                .toList();
    }
}
