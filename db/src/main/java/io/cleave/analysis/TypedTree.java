package io.cleave.analysis;

import io.cleave.base.Issue.Position;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;

/// Walks over typed expressions: what is in them, and the same with parts replaced.
public final class TypedTree {
    /// A list that is written out in a text may be as long.
    private static final int MAX_COPIED_NODES = 100_000;

    private TypedTree() {}

    /// The expressions right below, bodies of lambdas included.
    public static List<Typed> children(Typed node) {
        return switch (node) {
            case Typed.Constant _, Typed.Input _, Typed.Parameter _ -> List.of();
            case Typed.LambdaArgument _, Typed.SubQueryResult _ -> List.of();
            case Typed.Apply apply -> apply.arguments();
            case Typed.ApplyLambdas apply -> {
                var children = new ArrayList<>(apply.arguments());
                apply.lambdas().forEach(lambda -> children.add(lambda.body()));
                yield children;
            }
            case Typed.Convert convert -> List.of(convert.operand());
            case Typed.Compare compare -> List.of(compare.left(), compare.right());
            case Typed.And and -> and.terms();
            case Typed.Or or -> or.terms();
            case Typed.Not not -> List.of(not.operand());
            case Typed.IsNull isNull -> List.of(isNull.operand());
            case Typed.In in -> List.of(in.operand(), in.collection());
            case Typed.Coalesce coalesce -> coalesce.arguments();
            case Typed.Choose choose -> {
                var children = new ArrayList<Typed>();
                for (Typed.Branch branch : choose.branches()) {
                    children.add(branch.condition());
                    children.add(branch.result());
                }
                children.add(choose.otherwise());
                yield children;
            }
            case Typed.ItemOf item -> List.of(item.operand());
            case Typed.ItemsOf items -> items.items();
        };
    }

    /// Visits the node and everything below it, parents first.
    public static void walk(Typed node, Consumer<Typed> visitor) {
        visitor.accept(node);
        children(node).forEach(child -> walk(child, visitor));
    }

    /// To be asked before an expression is put into several places: copies of copies would soon be
    /// more than there is memory.
    static void refuseCopyOfLarge(Position at, Typed expression) {
        int count = 0;
        var open = new ArrayDeque<Typed>();
        open.push(expression);
        while (!open.isEmpty()) {
            if (++count > MAX_COPIED_NODES) {
                throw Errors.type(
                        at,
                        "Expression is too large: a part of more than %d nodes is used twice"
                                .formatted(MAX_COPIED_NODES));
            }
            children(open.pop()).forEach(open::push);
        }
    }

    /// The columns that the expression reads.
    public static SortedSet<Integer> inputs(Typed node) {
        var inputs = new TreeSet<Integer>();
        walk(
                node,
                part -> {
                    if (part instanceof Typed.Input input) {
                        inputs.add(input.index());
                    }
                });
        return inputs;
    }

    /// Whether it can be worked out before the query runs.
    public static boolean isConstant(Typed node) {
        return switch (node) {
            case Typed.Input _, Typed.Parameter _, Typed.SubQueryResult _ -> false;
            case Typed.Apply apply when !apply.function().isPure() -> false;
            default -> children(node).stream().allMatch(TypedTree::isConstant);
        };
    }

    /// Whether it has one value for the whole run: it reads no column, and draws no chance.
    public static boolean isFixedInRun(Typed node) {
        return switch (node) {
            case Typed.Input _ -> false;
            case Typed.Apply apply when !apply.function().isFixedInRun() -> false;
            default -> children(node).stream().allMatch(TypedTree::isFixedInRun);
        };
    }

    /// Whether it is another each time it is worked out.
    public static boolean isDrawn(Typed expression) {
        boolean[] drawn = {false};
        walk(
                expression,
                part ->
                        drawn[0] |=
                                part instanceof Typed.Apply apply
                                        && !apply.function().isFixedInRun());
        return drawn[0];
    }

    /// The expression with its columns numbered anew.
    public static Typed mapInputs(Typed node, UnaryOperator<Typed> replacement) {
        return rewrite(node, part -> part instanceof Typed.Input ? replacement.apply(part) : part);
    }

    /// The expression with `replacement` applied to every node, children first.
    public static Typed rewrite(Typed node, UnaryOperator<Typed> replacement) {
        return replacement.apply(
                switch (node) {
                    case Typed.Constant _, Typed.Input _, Typed.Parameter _ -> node;
                    case Typed.LambdaArgument _, Typed.SubQueryResult _ -> node;
                    case Typed.Apply a ->
                            new Typed.Apply(
                                    a.type(), a.function(), rewrite(a.arguments(), replacement));
                    case Typed.ApplyLambdas a ->
                            new Typed.ApplyLambdas(
                                    a.type(),
                                    a.function(),
                                    rewrite(a.arguments(), replacement),
                                    a.lambdas().stream()
                                            .map(l -> rewriteLambda(l, replacement))
                                            .toList());
                    case Typed.Convert c ->
                            new Typed.Convert(
                                    c.type(), rewrite(c.operand(), replacement), c.conversion());
                    case Typed.Compare c ->
                            new Typed.Compare(
                                    c.type(),
                                    c.comparison(),
                                    rewrite(c.left(), replacement),
                                    rewrite(c.right(), replacement));
                    case Typed.And a -> new Typed.And(a.type(), rewrite(a.terms(), replacement));
                    case Typed.Or o -> new Typed.Or(o.type(), rewrite(o.terms(), replacement));
                    case Typed.Not n -> new Typed.Not(n.type(), rewrite(n.operand(), replacement));
                    case Typed.IsNull n ->
                            new Typed.IsNull(n.type(), rewrite(n.operand(), replacement));
                    case Typed.In i ->
                            new Typed.In(
                                    i.type(),
                                    rewrite(i.operand(), replacement),
                                    rewrite(i.collection(), replacement),
                                    i.ansi());
                    case Typed.Coalesce c ->
                            new Typed.Coalesce(c.type(), rewrite(c.arguments(), replacement));
                    case Typed.Choose c ->
                            new Typed.Choose(
                                    c.type(),
                                    c.branches().stream()
                                            .map(
                                                    b ->
                                                            new Typed.Branch(
                                                                    rewrite(
                                                                            b.condition(),
                                                                            replacement),
                                                                    rewrite(
                                                                            b.result(),
                                                                            replacement)))
                                            .toList(),
                                    rewrite(c.otherwise(), replacement));
                    case Typed.ItemOf i ->
                            new Typed.ItemOf(
                                    i.type(), rewrite(i.operand(), replacement), i.index());
                    case Typed.ItemsOf i ->
                            new Typed.ItemsOf(i.type(), rewrite(i.items(), replacement));
                });
    }

    private static List<Typed> rewrite(List<Typed> nodes, UnaryOperator<Typed> replacement) {
        return nodes.stream().map(node -> rewrite(node, replacement)).toList();
    }

    private static Typed.Lambda rewriteLambda(
            Typed.Lambda lambda, UnaryOperator<Typed> replacement) {
        return new Typed.Lambda(lambda.level(), rewrite(lambda.body(), replacement));
    }
}
