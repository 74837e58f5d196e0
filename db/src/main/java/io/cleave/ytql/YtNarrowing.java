package io.cleave.ytql;

import io.cleave.typed.Typed;
import io.cleave.typed.TypedTree;
import io.cleave.value.Order;
import io.cleave.value.Type;

import java.util.List;

/// Removes conversions of narrow columns from comparisons. The language has only wide types, so a
/// column of type Int32 is compared as Int64. A comparison of the column itself has the same
/// result, and key ranges can be derived from it.
final class YtNarrowing {
    private YtNarrowing() {}

    static Typed of(Typed predicate) {
        return TypedTree.rewrite(
                predicate,
                node ->
                        switch (node) {
                            case Typed.Compare compare -> compare(compare);
                            case Typed.In in -> in(in);
                            default -> node;
                        });
    }

    private static Typed compare(Typed.Compare compare) {
        Typed left = bare(compare.left());
        Typed right = bare(compare.right());
        return Order.isComparable(left.type(), right.type())
                ? new Typed.Compare(compare.type(), compare.comparison(), left, right)
                : compare;
    }

    private static Typed in(Typed.In in) {
        if (!(in.collection().type() instanceof Type.ListOf(Type item))) {
            return in;
        }
        Typed operand =
                in.operand() instanceof Typed.ItemsOf(Type.Tuple _, List<Typed> items)
                        ? tuple(items)
                        : bare(in.operand());
        return Order.isComparable(operand.type(), item)
                ? new Typed.In(in.type(), operand, in.collection(), in.ansi())
                : in;
    }

    private static Typed tuple(List<Typed> items) {
        List<Typed> bare = items.stream().map(YtNarrowing::bare).toList();
        return new Typed.ItemsOf(new Type.Tuple(bare.stream().map(Typed::type).toList()), bare);
    }

    /// The column, if the value is its conversion to a wider type that has the same order.
    /// Otherwise the value itself.
    static Typed bare(Typed value) {
        return value instanceof Typed.Convert(Type wide, Typed.Input column, _)
                        && Order.isComparable(wide, column.type())
                ? column
                : value;
    }
}
