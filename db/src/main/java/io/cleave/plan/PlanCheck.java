package io.cleave.plan;

import io.cleave.base.Check;
import io.cleave.schema.Column;
import io.cleave.schema.Table;
import io.cleave.typed.AggregateCall;
import io.cleave.typed.JoinKind;
import io.cleave.typed.Relation.SortKey;
import io.cleave.typed.Typed;
import io.cleave.typed.TypedTree;
import io.cleave.value.Type;
import io.cleave.value.Type.Primitive;

import org.jspecify.annotations.Nullable;

import java.util.Arrays;
import java.util.List;

/// Checks that the nodes of a plan fit together. Every expression reads columns that the rows below
/// have, with the types they have there. Join keys come in pairs. Concatenated or compared rows
/// have the same width. Whether a type is Optional is not checked, because joins make columns
/// Optional.
///
/// Called by an `assert` after planning, so it costs nothing if assertions are off.
final class PlanCheck {
    private PlanCheck() {}

    /// Returns true, or fails a check.
    static boolean holds(PlanNode node) {
        @Nullable Type[] types = types(node);
        Check.that(
                types.length == node.width(),
                "%s has %d columns and says %d",
                node.getClass().getSimpleName(),
                types.length,
                node.width());
        return true;
    }

    /// The types of the output columns; null if they are unknown.
    private static @Nullable Type[] types(PlanNode node) {
        return switch (node) {
            case PlanNode.Once _ -> new Type[0];
            case PlanNode.Read read -> columnTypes(read.table(), read.columns());
            case PlanNode.ListRows list -> {
                check(list.list(), new Type[0]);
                yield new Type[list.width()];
            }
            case PlanNode.ConstantRows rows -> {
                for (List<Typed> row : rows.rows()) {
                    Check.that(row.size() == rows.width(), "a row of %d values", row.size());
                    checkAll(row, new Type[0]);
                }
                yield new Type[rows.width()];
            }
            case PlanNode.Filter filter -> {
                @Nullable Type[] input = types(filter.input());
                check(filter.predicate(), input);
                Type type = filter.predicate().type().unwrapped();
                Check.that(
                        type == Primitive.BOOL || type == Type.Unit.NULL,
                        "a filter of type %s",
                        type.text());
                yield input;
            }
            case PlanNode.Project project -> {
                checkAll(project.values(), types(project.input()));
                yield project.values().stream().map(Typed::type).toArray(Type[]::new);
            }
            case PlanNode.HashJoin join -> {
                @Nullable Type[] left = types(join.left());
                @Nullable Type[] right = types(join.right());
                checkKeys(join.leftKeys(), left, join.rightKeys(), right);
                yield joined(join.kind(), left, right);
            }
            case PlanNode.MergeJoin join -> {
                @Nullable Type[] left = types(join.left());
                @Nullable Type[] right = types(join.right());
                checkKeys(join.leftKeys(), left, join.rightKeys(), right);
                yield joined(join.kind(), left, right);
            }
            case PlanNode.LookupJoin join -> {
                @Nullable Type[] left = types(join.left());
                checkAll(join.keys(), left);
                checkKeys(join.keys(), join.table());
                join.condition().ifPresent(condition -> check(condition, left));
                @Nullable Type[] right = columnTypes(join.table(), join.columns());
                join.filter().ifPresent(filter -> check(filter, right));
                yield joined(join.kind(), left, right);
            }
            case PlanNode.Fetch fetch -> {
                @Nullable Type[] input = types(fetch.input());
                Check.that(
                        fetch.keys().size() == fetch.table().keyColumns().size(),
                        "%d values for a key",
                        fetch.keys().size());
                for (int place : fetch.keys()) {
                    Check.that(place < input.length, "place %d of %d", place, input.length);
                }
                yield append(input, columnTypes(fetch.table(), fetch.columns()));
            }
            case PlanNode.Group group -> {
                @Nullable Type[] input = types(group.input());
                checkAll(group.keys(), input);
                group.aggregates().forEach(call -> checkAll(call.arguments(), input));
                @Nullable Type[] all = group.keys().stream().map(Typed::type).toArray(Type[]::new);
                yield append(
                        all,
                        group.aggregates().stream().map(AggregateCall::type).toArray(Type[]::new));
            }
            case PlanNode.Expand expand -> {
                checkAll(expand.keys(), types(expand.input()));
                yield new Type[expand.width()];
            }
            case PlanNode.Window window -> {
                @Nullable Type[] input = types(window.input());
                checkAll(window.partition(), input);
                checkAll(window.order(), input);
                yield append(input, new Type[window.calls().size()]);
            }
            case PlanNode.Flatten flatten -> {
                @Nullable Type[] input = types(flatten.input());
                checkAll(flatten.containers(), input);
                yield append(input, new Type[flatten.containers().size()]);
            }
            case PlanNode.FirstOfKey first -> {
                @Nullable Type[] input = types(first.input());
                checkAll(first.keys(), input);
                yield input;
            }
            case PlanNode.Distinct distinct -> {
                @Nullable Type[] input = types(distinct.input());
                Check.that(distinct.types().size() == input.length, "types of another row");
                yield input;
            }
            case PlanNode.Sort sort -> {
                @Nullable Type[] input = types(sort.input());
                checkAll(sort.keys().stream().map(SortKey::value).toList(), input);
                yield input;
            }
            case PlanNode.Limit limit -> types(limit.input());
            case PlanNode.PartLimit limit -> {
                @Nullable Type[] input = types(limit.input());
                checkAll(limit.keys().stream().map(SortKey::value).toList(), input);
                Check.that(PartLimits.isScan(limit.input()), "the parts of what is no scan");
                yield input;
            }
            case PlanNode.Kept kept -> {
                holds(kept.input());
                for (PlanNode output : kept.outputs()) {
                    holds(output);
                    Check.that(output.width() == kept.width(), "rows of %d", output.width());
                }
                yield new Type[kept.width()];
            }
            case PlanNode.KeptRows rows -> new Type[rows.width()];
            case PlanNode.Concat concat -> {
                for (PlanNode input : concat.inputs()) {
                    holds(input);
                    Check.that(input.width() == concat.width(), "rows of %d", input.width());
                }
                yield new Type[concat.width()];
            }
            case PlanNode.Compared compared -> {
                holds(compared.left());
                holds(compared.right());
                Check.that(
                        compared.left().width() == compared.right().width(), "rows of two widths");
                yield new Type[compared.width()];
            }
        };
    }

    private static @Nullable Type[] columnTypes(Table table, List<Integer> columns) {
        return columns.stream()
                .map(index -> table.columns().get(index).type())
                .toArray(Type[]::new);
    }

    private static void checkKeys(List<Typed> keys, Table table) {
        List<Type> types = table.key().stream().map(Column::type).toList();
        for (int index = 0; index < keys.size(); index++) {
            Type type = keys.get(index).type().unwrapped();
            Check.that(type.equals(types.get(index)), "a key of type %s", type.text());
        }
    }

    private static void checkKeys(
            List<Typed> leftKeys,
            @Nullable Type[] left,
            List<Typed> rightKeys,
            @Nullable Type[] right) {
        checkAll(leftKeys, left);
        checkAll(rightKeys, right);
        Check.that(leftKeys.size() == rightKeys.size(), "keys without a match");
    }

    private static @Nullable Type[] joined(
            JoinKind kind, @Nullable Type[] left, @Nullable Type[] right) {
        return switch (kind) {
            case LEFT_SEMI, LEFT_ONLY -> left;
            case RIGHT_SEMI, RIGHT_ONLY -> right;
            case INNER, CROSS, LEFT, RIGHT, FULL, EXCLUSION -> append(left, right);
        };
    }

    private static @Nullable Type[] append(@Nullable Type[] first, @Nullable Type[] second) {
        @Nullable Type[] all = Arrays.copyOf(first, first.length + second.length);
        System.arraycopy(second, 0, all, first.length, second.length);
        return all;
    }

    private static void checkAll(List<Typed> expressions, @Nullable Type[] input) {
        expressions.forEach(expression -> check(expression, input));
    }

    private static void check(Typed expression, @Nullable Type[] input) {
        TypedTree.walk(
                expression,
                part -> {
                    if (!(part instanceof Typed.Input(Type type, int index))) {
                        return;
                    }
                    Check.that(
                            index >= 0 && index < input.length,
                            "column %d of a row of %d",
                            index,
                            input.length);
                    Type below = input[index];
                    Check.that(
                            below == null || below.unwrapped().equals(type.unwrapped()),
                            "column %d as %s, where it is %s",
                            index,
                            type.text(),
                            below == null ? "" : below.text());
                });
    }
}
