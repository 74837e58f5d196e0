package io.cleave.plan;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// The `SimplifiedPlan` of a JSON plan: a copy of the tree with only the operators, which `ydb sql
/// --explain` prints as a table. Every node of a plan is one operator, so no node is left out.
/// Nodes are numbered from the top.
final class LogicalPlan {
    private static final List<String> KEPT = List.of("Node Type", "PlanNodeType", "Operators");

    private int nextId;

    private LogicalPlan() {}

    static Map<String, Object> of(Map<String, Object> plan) {
        return new LogicalPlan().node(plan);
    }

    private Map<String, Object> node(Map<?, ?> plan) {
        Map<String, Object> node = new LinkedHashMap<>();
        node.put("PlanNodeId", nextId++);
        for (String name : KEPT) {
            Object value = plan.get(name);
            if (value != null) {
                node.put(name, value);
            }
        }
        if (plan.get("Plans") instanceof List<?> plans) {
            node.put(
                    "Plans",
                    plans.stream()
                            .filter(Map.class::isInstance)
                            .map(below -> node((Map<?, ?>) below))
                            .toList());
        }
        return node;
    }
}
