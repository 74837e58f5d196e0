package io.cleave.typed;

import io.cleave.base.Issue.Position;
import io.cleave.value.Type;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;

/// Traverses and rewrites typed expressions. It uses explicit stacks instead of recursion because
/// expressions may be deep.
public final class TypedTree {
    /// Large enough for a long list written out in a query.
    private static final int MAX_COPIED_NODES = 100_000;

    private TypedTree() {}

    /// The expressions directly below the node, including the bodies of lambdas.
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
        var _ =
                allMatch(
                        node,
                        part -> {
                            visitor.accept(part);
                            return true;
                        });
    }

    /// Whether the node and everything below it match. Visits parents first and stops at the first
    /// node that does not match.
    private static boolean allMatch(Typed node, Predicate<Typed> wanted) {
        var open = new ArrayDeque<Typed>();
        open.push(node);
        while (!open.isEmpty()) {
            Typed next = open.pop();
            if (!wanted.test(next)) {
                return false;
            }
            children(next).reversed().forEach(open::push);
        }
        return true;
    }

    /// Must be called before an expression is put into several places. Copies of copies would
    /// quickly exhaust the memory.
    public static void refuseCopyOfLarge(Position at, Typed expression) {
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

    /// The indexes of the columns that the expression reads.
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

    /// Whether the expression can be evaluated before the query runs.
    public static boolean isConstant(Typed node) {
        return allMatch(
                node,
                part ->
                        switch (part) {
                            case Typed.Input _, Typed.Parameter _, Typed.SubQueryResult _ -> false;
                            case Typed.Apply apply -> apply.function().isPure();
                            default -> true;
                        });
    }

    /// Whether the expression has one value for the whole run: it reads no column and calls no
    /// random function.
    public static boolean isFixedInRun(Typed node) {
        return allMatch(
                node,
                part ->
                        switch (part) {
                            case Typed.Input _ -> false;
                            case Typed.Apply apply -> apply.function().isFixedInRun();
                            default -> true;
                        });
    }

    /// Whether the expression calls a random function, so that each evaluation may give another
    /// value.
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

    /// The expression with each `Typed.Input` replaced by the result of `replacement`.
    public static Typed mapInputs(Typed node, UnaryOperator<Typed> replacement) {
        return rewrite(node, part -> part instanceof Typed.Input ? replacement.apply(part) : part);
    }

    /// The expression with `by` added to the index of each `Typed.Input`.
    public static Typed shiftInputs(Typed node, int by) {
        return mapInputs(
                node,
                part ->
                        part instanceof Typed.Input(Type type, int index)
                                ? new Typed.Input(type, index + by)
                                : part);
    }

    /// The expression with `replacement` applied to every node, children first.
    public static Typed rewrite(Typed node, UnaryOperator<Typed> replacement) {
        var open = new ArrayDeque<Rewriting>();
        var rewriting = new Rewriting(node);
        while (true) {
            if (rewriting.done.size() < rewriting.children.size()) {
                open.push(rewriting);
                rewriting = new Rewriting(rewriting.children.get(rewriting.done.size()));
                continue;
            }
            Typed rewritten = replacement.apply(rewriting.result());
            if (open.isEmpty()) {
                return rewritten;
            }
            rewriting = open.pop();
            rewriting.done.add(rewritten);
        }
    }

    /// A node of which some children have been rewritten.
    private static final class Rewriting {
        private final Typed node;
        private final List<Typed> children;
        private final List<Typed> done;

        Rewriting(Typed node) {
            this.node = node;
            children = children(node);
            done = new ArrayList<>(children.size());
        }

        Typed result() {
            return children.isEmpty() ? node : withChildren(node, done);
        }
    }

    /// A copy of the node with other [#children].
    private static Typed withChildren(Typed node, List<Typed> children) {
        return switch (node) {
            case Typed.Constant _, Typed.Input _, Typed.Parameter _ -> node;
            case Typed.LambdaArgument _, Typed.SubQueryResult _ -> node;
            case Typed.Apply a -> new Typed.Apply(a.type(), a.function(), children);
            case Typed.ApplyLambdas a -> withChildren(a, children);
            case Typed.Convert c ->
                    new Typed.Convert(c.type(), children.getFirst(), c.conversion());
            case Typed.Compare c ->
                    new Typed.Compare(
                            c.type(), c.comparison(), children.getFirst(), children.getLast());
            case Typed.And a -> new Typed.And(a.type(), children);
            case Typed.Or o -> new Typed.Or(o.type(), children);
            case Typed.Not n -> new Typed.Not(n.type(), children.getFirst());
            case Typed.IsNull n -> new Typed.IsNull(n.type(), children.getFirst());
            case Typed.In i ->
                    new Typed.In(i.type(), children.getFirst(), children.getLast(), i.ansi());
            case Typed.Coalesce c -> new Typed.Coalesce(c.type(), children);
            case Typed.Choose c -> withChildren(c, children);
            case Typed.ItemOf i -> new Typed.ItemOf(i.type(), children.getFirst(), i.index());
            case Typed.ItemsOf i -> new Typed.ItemsOf(i.type(), children);
        };
    }

    private static Typed withChildren(Typed.ApplyLambdas apply, List<Typed> children) {
        int argumentCount = apply.arguments().size();
        List<Typed.Lambda> lambdas = new ArrayList<>();
        for (Typed.Lambda lambda : apply.lambdas()) {
            Typed body = children.get(argumentCount + lambdas.size());
            lambdas.add(new Typed.Lambda(lambda.level(), body));
        }
        return new Typed.ApplyLambdas(
                apply.type(), apply.function(), children.subList(0, argumentCount), lambdas);
    }

    private static Typed withChildren(Typed.Choose choose, List<Typed> children) {
        List<Typed.Branch> branches = new ArrayList<>();
        for (int index = 0; index < choose.branches().size(); index++) {
            branches.add(new Typed.Branch(children.get(2 * index), children.get(2 * index + 1)));
        }
        return new Typed.Choose(choose.type(), branches, children.getLast());
    }
}
