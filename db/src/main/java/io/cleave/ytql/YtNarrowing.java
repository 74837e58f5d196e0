package io.cleave.ytql;

import io.cleave.function.yt.YtType;
import io.cleave.typed.Typed;
import io.cleave.typed.TypedTree;
import io.cleave.value.Ints;
import io.cleave.value.Order;
import io.cleave.value.Type;
import io.cleave.value.Type.Primitive;

import java.util.List;

/// Removes conversions of narrow columns from comparisons. The language has only wide types, so a
/// column of type Int32 is compared as Int64. A comparison of the column itself has the same
/// result, and key ranges can be derived from it. In a join, rows can be looked up by it.
final class YtNarrowing {
    private YtNarrowing() {}

    /// The two keys of a join that must be equal.
    record JoinKeys(Typed left, Typed right) {}

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

    /// The keys without conversions, where the columns are equal in the same cases. Dates are
    /// numbers in the language: two columns of Date are equal if their numbers are, but a Date and
    /// a Datetime with equal numbers are different moments.
    static JoinKeys joinKeys(Typed left, Typed right) {
        Typed leftColumn = column(left);
        Typed rightColumn = column(right);
        Type leftType = leftColumn.type().unwrapped();
        Type rightType = rightColumn.type().unwrapped();
        if (leftType.equals(rightType) && isOneToOne(leftType)) {
            return new JoinKeys(leftColumn, rightColumn);
        }
        return new JoinKeys(
                keepsEquality(leftType) ? leftColumn : left,
                keepsEquality(rightType) ? rightColumn : right);
    }

    /// Whether the conversion of different values gives different values.
    private static boolean isOneToOne(Type type) {
        return keepsEquality(type)
                || type == Primitive.UUID
                || (type instanceof Primitive primitive && Ints.bytes(primitive) > 0);
    }

    /// Whether a value is equal to its conversion.
    private static boolean keepsEquality(Type type) {
        return Ints.isInteger(type) || type == Primitive.UTF8;
    }

    /// The column, if the value is a column that was converted to the type of the language.
    /// Otherwise the value itself.
    static Typed column(Typed value) {
        return value instanceof Typed.Convert(Type wide, Typed.Input column, _)
                        && wide.unwrapped().equals(YtType.of(column.type()).type())
                ? column
                : value;
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
