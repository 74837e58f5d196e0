package io.cleave.plan;

import io.cleave.analysis.Relation.SortKey;
import io.cleave.analysis.Typed;

import java.util.List;
import java.util.Optional;

/// Gives a LIMIT to the parts of the scan below it, so that none keeps or reads more rows than can
/// be among the first of all.
///
/// Without a filter the scan stops at the LIMIT by itself, and it is soon there.
final class PartLimits {
    private PartLimits() {}

    /// What a LIMIT above, without a sort, should read.
    static Node limited(Node input, Optional<Typed> count, Optional<Typed> offset) {
        return count.isPresent() && isScan(input) && filters(input)
                ? new Node.PartLimit(input, List.of(), count.get(), offset)
                : input;
    }

    /// What a sort of which only the first rows are wanted should read.
    static Node sorted(
            Node input, List<SortKey> keys, Optional<Typed> count, Optional<Typed> offset) {
        return count.isPresent()
                        && isScan(input)
                        && keys.stream().map(SortKey::value).allMatch(Nodes::isSteady)
                ? new Node.PartLimit(input, keys, count.get(), offset)
                : input;
    }

    /// Whether it is a scan forwards and work on its rows alone, which any thread may do.
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
