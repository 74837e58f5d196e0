package io.cleave.plan;

import io.cleave.typed.JoinKind;
import io.cleave.typed.Typed;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/// The operator of a node in the JSON plan, with the field names that YDB's tools print: they show
/// an operator as `Name (Field: value, …)`. The operators that read tables are written by
/// [PlanJson].
final class PlanOperators {
    private PlanOperators() {}

    /// `below` has the names of the node's input columns.
    static Map<String, Object> of(String name, PlanNode node, List<String> below) {
        Map<String, Object> operator = new LinkedHashMap<>();
        operator.put("Name", name);
        switch (node) {
            case PlanNode.Filter filter ->
                    operator.put("Predicate", ExpressionText.of(filter.predicate(), below));
            case PlanNode.HashJoin join ->
                    condition(
                            operator,
                            PlanTree.equalities(
                                    join.left(), join.leftKeys(), join.rightKeys(), below));
            case PlanNode.MergeJoin join ->
                    condition(
                            operator,
                            PlanTree.equalities(
                                    join.left(), join.leftKeys(), join.rightKeys(), below));
            case PlanNode.Group group -> {
                operator.put("GroupBy", "[" + ExpressionText.list(group.keys(), below) + "]");
                List<String> aggregates = PlanTree.aggregates(group, below);
                operator.put("Aggregation", "{" + String.join(",", aggregates) + "}");
            }
            case PlanNode.Sort sort -> {
                boolean top = sort.count().isPresent();
                operator.put(top ? "TopSortBy" : "SortBy", PlanTree.keys(sort.keys(), below));
                limits(operator, sort.count(), sort.offset());
            }
            case PlanNode.Limit limit -> limits(operator, limit.count(), limit.offset());
            case PlanNode.PartLimit limit -> {
                if (!limit.keys().isEmpty()) {
                    operator.put("TopSortBy", PlanTree.keys(limit.keys(), below));
                }
                limits(operator, Optional.of(limit.count()), limit.offset());
            }
            default -> {}
        }
        return operator;
    }

    /// For example `LeftSemiJoin (HashJoin)`.
    static String join(JoinKind kind, String way) {
        var name = new StringBuilder();
        for (String word : kind.words().split(" ")) {
            name.append(word.charAt(0)).append(word.substring(1).toLowerCase(Locale.ROOT));
        }
        return name + "Join (" + way + ")";
    }

    /// A cross join has no condition.
    private static void condition(Map<String, Object> operator, String equalities) {
        if (!equalities.isEmpty()) {
            operator.put("Condition", equalities);
        }
    }

    private static void limits(
            Map<String, Object> operator, Optional<Typed> count, Optional<Typed> offset) {
        count.ifPresent(value -> operator.put("Limit", ExpressionText.of(value, List.of())));
        offset.ifPresent(value -> operator.put("Offset", ExpressionText.of(value, List.of())));
    }
}
