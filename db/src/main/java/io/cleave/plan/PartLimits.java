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
    static Node limited(Node input, Optional<Typed> count, Optional<Typed> offset) {
        return count.isPresent() && isScan(input) && filters(input)
                ? new Node.PartLimit(input, List.of(), count.get(), offset)
                : input;
    }

    /// The input of a sort of which only the first rows are needed.
    static Node sorted(
            Node input, List<SortKey> keys, Optional<Typed> count, Optional<Typed> offset) {
        return count.isPresent()
                        && isScan(input)
                        && keys.stream().map(SortKey::value).allMatch(Nodes::isSteady)
                ? new Node.PartLimit(input, keys, count.get(), offset)
                : input;
    }

    /// Whether the node is a forward scan with only filters and projections above it that any
    /// thread may run.
    static boolean isScan(Node node) {
        return switch (node) {
            case Node.Read read -> !read.pointRead() && !read.backward();
            case Node.Filter filter -> Nodes.isSteady(filter.predicate()) && isScan(filter.input());
            case Node.Project project ->
                    project.values().stream().allMatch(Nodes::isSteady) && isScan(project.input());
            default -> false;
        };
    }

    private static boolean filters(Node node) {
        return node instanceof Node.Filter
                || (node instanceof Node.Project project && filters(project.input()));
    }
}
