package io.cleave.plan;

import io.cleave.analysis.Typed;
import io.cleave.analysis.TypedTree;

import java.util.List;

/// Questions about whole plans.
public final class Nodes {
    private Nodes() {}

    /// The nodes right below.
    public static List<Node> inputs(Node node) {
        return switch (node) {
            case Node.Once _, Node.Read _, Node.ListRows _, Node.ConstantRows _ -> List.of();
            case Node.Filter filter -> List.of(filter.input());
            case Node.Project project -> List.of(project.input());
            case Node.HashJoin join -> List.of(join.left(), join.right());
            case Node.MergeJoin join -> List.of(join.left(), join.right());
            case Node.LookupJoin join -> List.of(join.left());
            case Node.Fetch fetch -> List.of(fetch.input());
            case Node.Group group -> List.of(group.input());
            case Node.Expand expand -> List.of(expand.input());
            case Node.Window window -> List.of(window.input());
            case Node.Flatten flatten -> List.of(flatten.input());
            case Node.FirstOfKey first -> List.of(first.input());
            case Node.Distinct distinct -> List.of(distinct.input());
            case Node.Sort sort -> List.of(sort.input());
            case Node.Limit limit -> List.of(limit.input());
            case Node.PartLimit limit -> List.of(limit.input());
            case Node.Concat concat -> concat.inputs();
            case Node.Compared compared -> List.of(compared.left(), compared.right());
        };
    }

    /// Whether it is the same however often it is worked out, and on whichever thread.
    public static boolean isSteady(Typed expression) {
        return !TypedTree.isDrawn(expression);
    }

    /// Whether it may be worked out for other rows than it is written for, more or fewer: it is
    /// steady, and refuses none.
    static boolean isMovable(Typed expression) {
        boolean[] refuses = {false};
        TypedTree.walk(
                expression,
                part ->
                        refuses[0] |=
                                part instanceof Typed.Apply apply && apply.function().mayRefuse());
        return !refuses[0] && isSteady(expression);
    }

    public static boolean readsTables(Node node) {
        return node instanceof Node.Read
                || node instanceof Node.LookupJoin
                || inputs(node).stream().anyMatch(Nodes::readsTables);
    }

    /// Whether it is the read of one row by its whole key, and work on that row alone.
    public static boolean isPointRead(Node node) {
        return switch (node) {
            case Node.Read read -> read.pointRead();
            case Node.Filter filter -> isPointRead(filter.input());
            case Node.Project project -> isPointRead(project.input());
            case Node.Limit limit -> isPointRead(limit.input());
            default -> false;
        };
    }
}
