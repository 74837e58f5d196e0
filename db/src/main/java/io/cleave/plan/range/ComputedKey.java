package io.cleave.plan.range;

import io.cleave.typed.GeneratedColumn;
import io.cleave.typed.ScalarFunction;
import io.cleave.typed.Typed;
import io.cleave.typed.TypedTree;
import io.cleave.value.Ints;
import io.cleave.value.Type;
import io.cleave.value.Type.Primitive;
import io.cleave.value.Value;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/// What inference knows of a computed column: at which values of each source its value can change,
/// and whether it is a remainder.
///
/// Functions are recognized by the names of the operators: `/`, `%` and `>>` of YQL, and `/!` and
/// `%!`, which fail instead of returning NULL.
final class ComputedKey {
    /// The largest shift of a 64-bit number.
    private static final long MOST_SHIFT = 63;

    /// How a value depends on an integer: it changes only where the quotient of the integer
    /// changes.
    ///
    /// @param divisor unsigned, never 0
    /// @param rounding how the quotient is rounded
    record Step(long divisor, Rounding rounding) {
        static final Step EVERY = new Step(1, Rounding.TO_ZERO);
    }

    enum Rounding {
        /// As a division does.
        TO_ZERO,
        /// As a shift to the right does.
        DOWN
    }

    /// @param least the least remainder
    /// @param count the number of different remainders, without NULL; unsigned
    /// @param outer the column's expression, over the remainder as its only input
    record Modulo(long least, long count, GeneratedColumn outer) {
        Value value(Value remainder) {
            return outer.of(new Value[] {remainder});
        }
    }

    private final GeneratedColumn column;
    private final Map<Integer, Set<Step>> steps = new HashMap<>();
    private final @Nullable Modulo modulo;
    private boolean mayRefuse;

    ComputedKey(GeneratedColumn column) {
        this.column = column;
        collect(column.expression());
        modulo = modulo(column.expression());
    }

    int column() {
        return column.keyColumn();
    }

    List<Integer> sources() {
        return column.sources();
    }

    /// Null if the column is not a remainder.
    @Nullable Modulo modulo() {
        return modulo;
    }

    /// The steps of an integer source.
    Set<Step> steps(int source) {
        return steps.getOrDefault(source, Set.of());
    }

    /// Whether the values of a source may be enumerated. They may not if a function of the
    /// expression can fail on purpose, because it must not be called for values that no row has.
    boolean isEnumerable(int source, Type type) {
        return !mayRefuse && isInteger(type) && steps.containsKey(source);
    }

    Value value(Value[] key) {
        return column.of(key);
    }

    static boolean isInteger(Type type) {
        return type.unwrapped() instanceof Primitive primitive && Ints.bytes(primitive) > 0;
    }

    private static boolean refuses(Typed part) {
        return part instanceof Typed.Apply apply
                && apply.function().mayRefuse()
                && !isDivision(apply.function())
                && !isRemainder(apply.function());
    }

    private static boolean isDivision(ScalarFunction function) {
        return function.name().equals("/") || function.name().equals("/!");
    }

    private static boolean isRemainder(ScalarFunction function) {
        return function.name().equals("%") || function.name().equals("%!");
    }

    /// The recursion is limited, because the depth of an expression was checked when it was made.
    private void collect(Typed node) {
        mayRefuse |= refuses(node);
        if (node instanceof Typed.Input(_, int index)) {
            add(index, Step.EVERY);
            return;
        }
        if (node instanceof Typed.Apply apply
                && apply.arguments().size() == 2
                && isInteger(apply.type())
                && source(apply.arguments().getFirst()) instanceof Typed.Input(_, int index)
                && literal(apply.arguments().getLast()) instanceof Value.Int(long number)) {
            Step step = step(apply, number);
            if (step != null) {
                add(index, step);
                return;
            }
        }
        TypedTree.children(node).forEach(this::collect);
    }

    private void add(int source, Step step) {
        steps.computeIfAbsent(source, _ -> new LinkedHashSet<>()).add(step);
    }

    private static @Nullable Step step(Typed.Apply apply, long number) {
        if (isDivision(apply.function())) {
            if (number == 0) {
                // The result is NULL for every value, or an error that the function throws.
                return null;
            }
            return new Step(isSigned(apply.type()) ? Math.abs(number) : number, Rounding.TO_ZERO);
        }
        return apply.function().name().equals(">>") && number >= 0 && number <= MOST_SHIFT
                ? new Step(1L << number, Rounding.DOWN)
                : null;
    }

    private static boolean isSigned(Type type) {
        return Ints.isSigned((Primitive) type.unwrapped());
    }

    /// The operand, if it is a column, or a column converted to a type that has all its values;
    /// otherwise null.
    private static @Nullable Typed source(Typed operand) {
        return switch (operand) {
            case Typed.Input input -> input;
            case Typed.Convert(Type type, Typed.Input input, _)
                    when type.unwrapped() instanceof Primitive to
                            && input.type().unwrapped() instanceof Primitive from
                            && Ints.isInteger(to)
                            && isInteger(from)
                            && Ints.holds(to, from, Ints.min(from))
                            && Ints.holds(to, from, Ints.max(from)) ->
                    input;
            default -> null;
        };
    }

    private static @Nullable Value literal(Typed operand) {
        return switch (operand) {
            case Typed.Constant(_, Value value) -> value;
            case Typed.Convert(_, Typed.Constant(_, Value value), var conversion)
                    when !value.isNull() ->
                    conversion.apply(value);
            default -> null;
        };
    }

    /// The remainder that the expression computes, possibly inside conversions and `??`; null if it
    /// computes none.
    private @Nullable Modulo modulo(Typed expression) {
        List<Typed> above = new ArrayList<>();
        Typed node = expression;
        while (true) {
            switch (node) {
                case Typed.Convert convert -> {
                    above.add(node);
                    node = convert.operand();
                }
                case Typed.Coalesce coalesce
                        when coalesce.arguments().size() == 2
                                && coalesce.arguments().getLast() instanceof Typed.Constant -> {
                    above.add(node);
                    node = coalesce.arguments().getFirst();
                }
                case Typed.Apply apply
                        when apply.arguments().size() == 2
                                && isRemainder(apply.function())
                                && isInteger(apply.type())
                                && literal(apply.arguments().getLast())
                                        instanceof Value.Int(long number)
                                && number != 0 -> {
                    return modulo(apply, number, above);
                }
                default -> {
                    return null;
                }
            }
        }
    }

    private Modulo modulo(Typed.Apply remainder, long number, List<Typed> above) {
        Typed outer = new Typed.Input(remainder.type(), 0);
        for (Typed wrapper : above.reversed()) {
            outer =
                    switch (wrapper) {
                        case Typed.Convert convert ->
                                new Typed.Convert(convert.type(), outer, convert.conversion());
                        case Typed.Coalesce coalesce ->
                                new Typed.Coalesce(
                                        coalesce.type(),
                                        List.of(outer, coalesce.arguments().getLast()));
                        default -> throw new IllegalStateException("not above a remainder");
                    };
        }
        var computed = new GeneratedColumn(column.keyColumn(), List.of(0), outer);
        if (!isSigned(remainder.type())) {
            return new Modulo(0, number, computed);
        }
        long most = Math.abs(number) - 1;
        return new Modulo(-most, 2 * most + 1, computed);
    }
}
