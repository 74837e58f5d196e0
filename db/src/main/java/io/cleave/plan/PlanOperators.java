package io.cleave.plan;

import io.cleave.analysis.JoinKind;
import io.cleave.analysis.Typed;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/// What a node of the JSON plan says of its work, under the names that YDB's tools print: they show
/// an operator as `Name (Field: value, …)`. Those that read tables are told by [PlanJson] itself.
final class PlanOperators {
    private PlanOperators() {}

    /// `below` is what the columns are called that the node gets.
    static Map<String, Object> of(String name, Node node, List<String> below) {
        Map<String, Object> operator = new LinkedHashMap<>();
        operator.put("Name", name);
        switch (node) {
            case Node.Filter filter ->
                    operator.put("Predicate", ExpressionText.of(filter.predicate(), below));
            case Node.HashJoin join ->
                    condition(
                            operator,
                            PlanTree.equalities(
                                    join.left(), join.leftKeys(), join.rightKeys(), below));
            case Node.MergeJoin join ->
                    condition(
                            operator,
                            PlanTree.equalities(
                                    join.left(), join.leftKeys(), join.rightKeys(), below));
            case Node.Group group -> {
                operator.put("GroupBy", "[" + ExpressionText.list(group.keys(), below) + "]");
                List<String> aggregates = PlanTree.aggregates(group, below);
                operator.put("Aggregation", "{" + String.join(",", aggregates) + "}");
            }
            case Node.Sort sort -> {
                boolean top = sort.count().isPresent();
                operator.put(top ? "TopSortBy" : "SortBy", PlanTree.keys(sort.keys(), below));
                limits(operator, sort.count(), sort.offset());
            }
            case Node.Limit limit -> limits(operator, limit.count(), limit.offset());
            case Node.PartLimit limit -> {
                if (!limit.keys().isEmpty()) {
                    operator.put("TopSortBy", PlanTree.keys(limit.keys(), below));
                }
                limits(operator, Optional.of(limit.count()), limit.offset());
            }
            default -> {}
        }
        return operator;
    }

    /// `LeftSemiJoin (HashJoin)`.
    static String join(JoinKind kind, String way) {
        var name = new StringBuilder();
        for (String word : kind.words().split(" ")) {
            name.append(word.charAt(0)).append(word.substring(1).toLowerCase(Locale.ROOT));
        }
        return name + "Join (" + way + ")";
    }

    /// A cross join has none.
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
