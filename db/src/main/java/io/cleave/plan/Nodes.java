package io.cleave.plan;

import io.cleave.typed.Typed;
import io.cleave.typed.TypedTree;

import java.util.List;

/// Properties of whole plans and their expressions.
public final class Nodes {
    private Nodes() {}

    /// The nodes directly below.
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

    /// Whether the expression has the same value at every evaluation, and on every thread.
    public static boolean isSteady(Typed expression) {
        return !TypedTree.isDrawn(expression);
    }

    /// Whether the expression may be evaluated for more or fewer rows than written: it is steady,
    /// and cannot refuse a row.
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

    /// Whether the plan reads only one row, by its whole key, and only processes that row.
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
