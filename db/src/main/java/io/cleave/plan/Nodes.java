package io.cleave.plan;

import io.cleave.typed.Typed;
import io.cleave.typed.TypedTree;

import java.util.ArrayList;
import java.util.List;

/// Properties of whole plans and their expressions.
public final class Nodes {
    private Nodes() {}

    /// The nodes directly below.
    public static List<PlanNode> inputs(PlanNode node) {
        return switch (node) {
            case PlanNode.Once _, PlanNode.Read _, PlanNode.ListRows _, PlanNode.ConstantRows _ ->
                    List.of();
            case PlanNode.Filter filter -> List.of(filter.input());
            case PlanNode.Project project -> List.of(project.input());
            case PlanNode.HashJoin join -> List.of(join.left(), join.right());
            case PlanNode.MergeJoin join -> List.of(join.left(), join.right());
            case PlanNode.LookupJoin join -> List.of(join.left());
            case PlanNode.Fetch fetch -> List.of(fetch.input());
            case PlanNode.Group group -> List.of(group.input());
            case PlanNode.Expand expand -> List.of(expand.input());
            case PlanNode.Window window -> List.of(window.input());
            case PlanNode.Flatten flatten -> List.of(flatten.input());
            case PlanNode.FirstOfKey first -> List.of(first.input());
            case PlanNode.Distinct distinct -> List.of(distinct.input());
            case PlanNode.Sort sort -> List.of(sort.input());
            case PlanNode.Limit limit -> List.of(limit.input());
            case PlanNode.PartLimit limit -> List.of(limit.input());
            case PlanNode.Concat concat -> concat.inputs();
            case PlanNode.Kept kept -> {
                List<PlanNode> all = new ArrayList<>();
                all.add(kept.input());
                all.addAll(kept.outputs());
                yield all;
            }
            case PlanNode.KeptRows _ -> List.of();
            case PlanNode.Compared compared -> List.of(compared.left(), compared.right());
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

    public static boolean readsTables(PlanNode node) {
        return node instanceof PlanNode.Read
                || node instanceof PlanNode.LookupJoin
                || inputs(node).stream().anyMatch(Nodes::readsTables);
    }

    /// Whether the plan reads only one row, by its whole key, and only processes that row.
    public static boolean isPointRead(PlanNode node) {
        return switch (node) {
            case PlanNode.Read read -> read.pointRead();
            case PlanNode.Filter filter -> isPointRead(filter.input());
            case PlanNode.Project project -> isPointRead(project.input());
            case PlanNode.Limit limit -> isPointRead(limit.input());
            default -> false;
        };
    }
}
