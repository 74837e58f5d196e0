package io.cleave.plan;

import io.cleave.typed.Relation.SortKey;
import io.cleave.typed.Typed;

import java.util.List;
import java.util.Optional;

/// Applies a LIMIT to the parts of the scan below it, so that no part keeps or reads more rows than
/// can be among the first ones.
///
/// Without a sort and without a filter, this is not needed: the scan soon reaches the LIMIT by
/// itself.
final class PartLimits {
    private PartLimits() {}

    /// The input of a LIMIT without a sort.
    static PlanNode limited(PlanNode input, Optional<Typed> count, Optional<Typed> offset) {
        return count.isPresent() && isScan(input) && filters(input)
                ? new PlanNode.PartLimit(input, List.of(), count.get(), offset)
                : input;
    }

    /// The input of a sort of which only the first rows are needed.
    static PlanNode sorted(
            PlanNode input, List<SortKey> keys, Optional<Typed> count, Optional<Typed> offset) {
        return count.isPresent()
                        && isScan(input)
                        && keys.stream().map(SortKey::value).allMatch(Nodes::isSteady)
                ? new PlanNode.PartLimit(input, keys, count.get(), offset)
                : input;
    }

    /// Whether the node is a forward scan with only filters and projections above it that any
    /// thread may run.
    static boolean isScan(PlanNode node) {
        return switch (node) {
            case PlanNode.Read read -> !read.pointRead() && !read.backward();
            case PlanNode.Filter filter ->
                    Nodes.isSteady(filter.predicate()) && isScan(filter.input());
            case PlanNode.Project project ->
                    project.values().stream().allMatch(Nodes::isSteady) && isScan(project.input());
            default -> false;
        };
    }

    private static boolean filters(PlanNode node) {
        return node instanceof PlanNode.Filter
                || (node instanceof PlanNode.Project project && filters(project.input()));
    }
}
