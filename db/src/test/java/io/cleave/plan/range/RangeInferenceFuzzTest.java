package io.cleave.plan.range;

import static org.assertj.core.api.Assertions.assertThat;

import io.cleave.base.Bytes;
import io.cleave.typed.GeneratedColumn;
import io.cleave.typed.ScalarFunction;
import io.cleave.typed.Typed;
import io.cleave.typed.TypedTree;
import io.cleave.value.KeyCodec;
import io.cleave.value.Order;
import io.cleave.value.Type;
import io.cleave.value.Type.Primitive;
import io.cleave.value.Value;

import org.junit.jupiter.api.Test;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.LongBinaryOperator;
import java.util.function.Predicate;

/// Random predicates over random keys with computed columns: no key is lost, and the ranges neither
/// overlap nor are out of order.
class RangeInferenceFuzzTest {
    private static final long SEED = Long.getLong("seed", new SplittableRandom().nextLong());
    private static final int ROUNDS = Integer.getInteger("rounds", 8_000);

    private final SplittableRandom random = new SplittableRandom(SEED);
    private final List<Type> types = new ArrayList<>();
    private final List<GeneratedColumn> generated = new ArrayList<>();

    /// A random set of keys, and which keys are in it.
    private record Keys(KeyConstraint set, Predicate<Value[]> has, String text) {}

    @Test
    void noKeyIsLost() {
        long narrowed = 0;
        for (int round = 0; round < ROUNDS; round++) {
            makeColumns();
            Keys keys = keys(3, new ConstraintAlgebra(types));
            long limit = List.of(1L, 3L, 10L, 1_000L).get(random.nextInt(4));
            InferredRanges found = new RangeInference(types, generated).infer(keys.set(), limit);
            String what =
                    "-Dseed=%d round %d: %s, %s, limit %d"
                            .formatted(SEED, round, generated, keys.text(), limit);
            check(found, keys, what);
            narrowed += found.ranges().size() == 1 && found.ranges().getFirst().isAll() ? 0 : 1;
        }
        assertThat(narrowed).as("-Dseed=%d: rounds that read less", SEED).isGreaterThan(ROUNDS / 4);
    }

    private void check(InferredRanges found, Keys keys, String what) {
        Bytes last = Bytes.EMPTY;
        for (TupleRange range : found.ranges()) {
            if (range.isEmpty()) {
                continue;
            }
            assertThat(range.from()).as(what).isGreaterThanOrEqualTo(last);
            assertThat(range.to() == null && range != found.ranges().getLast()).as(what).isFalse();
            last = range.to() == null ? last : range.to();
        }
        forEachKey(
                new Value[types.size()],
                0,
                key -> {
                    if (keys.has().test(key)) {
                        Bytes encoded = KeyCodec.encode(types, key);
                        assertThat(found.ranges())
                                .as("%s: %s", what, List.of(key))
                                .anyMatch(
                                        range ->
                                                range.from().compareTo(encoded) <= 0
                                                        && (range.to() == null
                                                                || encoded.compareTo(range.to())
                                                                        < 0));
                    }
                });
    }

    private interface KeyUse {
        void of(Value[] key);
    }

    private void forEachKey(Value[] key, int column, KeyUse use) {
        if (column == types.size()) {
            generated.forEach(each -> key[each.keyColumn()] = each.of(key));
            use.of(key);
            return;
        }
        if (generated.stream().anyMatch(each -> each.keyColumn() == column)) {
            forEachKey(key, column + 1, use);
            return;
        }
        boolean signed = types.get(column) == Primitive.INT64;
        for (int number = signed ? -8 : 0; number < 9; number++) {
            key[column] = number == 8 ? Value.Null.NULL : Value.of(number);
            forEachKey(key, column + 1, use);
        }
    }

    private void makeColumns() {
        types.clear();
        generated.clear();
        int columns = 2 + random.nextInt(3);
        Type type = random.nextBoolean() ? Primitive.INT64 : Primitive.UINT64;
        List<Integer> plain = new ArrayList<>();
        for (int column = 0; column < columns; column++) {
            types.add(type);
            // At most two columns are enumerated by the check.
            if (plain.size() < 2
                    && (random.nextBoolean() || (plain.isEmpty() && column == columns - 1))) {
                plain.add(column);
            }
        }
        for (int column = 0; column < columns; column++) {
            if (!plain.contains(column)) {
                Typed expression = expression(plain, type);
                generated.add(
                        new GeneratedColumn(
                                column, List.copyOf(TypedTree.inputs(expression)), expression));
            }
        }
    }

    private Typed expression(List<Integer> plain, Type type) {
        boolean signed = type == Primitive.INT64;
        Typed one = input(plain, type);
        Typed two = input(plain, type);
        Typed three = constant(type, 2 + random.nextInt(3));
        Typed four = constant(type, signed && random.nextBoolean() ? -3 : 3);
        return switch (random.nextInt(10)) {
            case 0 -> one;
            case 1 -> divided(type, one, four);
            case 2 -> remainder(type, one, four);
            case 3 -> remainder(type, divided(type, one, three), four);
            case 4 ->
                    apply(
                            "+",
                            type,
                            (a, b) -> a + b,
                            divided(type, one, three),
                            divided(type, two, four));
            case 5 -> hash(type, one);
            case 6 -> hash(type, divided(type, one, three));
            case 7 -> remainder(type, hash(type, one), three);
            case 8 ->
                    apply(
                            ">>",
                            type,
                            signed ? (a, b) -> a >> b : (a, b) -> a >>> b,
                            one,
                            constant(type, random.nextInt(4)));
            default ->
                    apply(
                            "+",
                            type,
                            (a, b) -> a + b,
                            divided(type, one, four),
                            remainder(type, one, three));
        };
    }

    private Typed input(List<Integer> plain, Type type) {
        return new Typed.Input(type.optional(), plain.get(random.nextInt(plain.size())));
    }

    private static Typed constant(Type type, long number) {
        return new Typed.Constant(type, Value.of(number));
    }

    private static Typed divided(Type type, Typed left, Typed right) {
        return apply(
                "/",
                type,
                type == Primitive.INT64 ? (a, b) -> a / b : Long::divideUnsigned,
                left,
                right);
    }

    private static Typed remainder(Type type, Typed left, Typed right) {
        return apply(
                "%",
                type,
                type == Primitive.INT64 ? (a, b) -> a % b : Long::remainderUnsigned,
                left,
                right);
    }

    private static Typed hash(Type type, Typed of) {
        return apply("hash", type, (a, b) -> a * 0x9ddfea08eb382d69L >>> 7, of, constant(type, 1));
    }

    private static Typed apply(
            String name, Type type, LongBinaryOperator operator, Typed left, Typed right) {
        return new Typed.Apply(
                type.optional(),
                ScalarFunction.strict(
                        name,
                        a ->
                                Value.of(
                                        operator.applyAsLong(
                                                ((Value.Int) a[0]).value(),
                                                ((Value.Int) a[1]).value()))),
                List.of(left, right));
    }

    private Keys keys(int depth, ConstraintAlgebra algebra) {
        if (depth > 0 && random.nextInt(4) > 0) {
            Keys left = keys(depth - 1, algebra);
            Keys right = keys(depth - 1, algebra);
            return random.nextInt(3) > 0
                    ? new Keys(
                            algebra.intersection(left.set(), right.set()),
                            left.has().and(right.has()),
                            "(" + left.text() + " and " + right.text() + ")")
                    : new Keys(
                            algebra.union(left.set(), right.set()),
                            left.has().or(right.has()),
                            "(" + left.text() + " or " + right.text() + ")");
        }
        int column = random.nextInt(types.size());
        Bound one = bound(column);
        Bound two =
                random.nextInt(3) == 0 && one.place() == 0
                        ? Bound.after(one.value())
                        : bound(column);
        Bound lower = random.nextInt(3) == 0 && one.place() == 0 ? Bound.before(one.value()) : one;
        Type type = types.get(column);
        if (Bound.compare(type, lower, two) >= 0) {
            return new Keys(KeyConstraint.NONE, _ -> false, "none");
        }
        var interval = new ColumnInterval(lower, two);
        return new Keys(
                KeyConstraint.of(column, interval),
                key -> isBefore(type, lower, key[column]) && !isBefore(type, two, key[column]),
                column + " in " + interval);
    }

    private Bound bound(int column) {
        boolean signed = types.get(column) == Primitive.INT64;
        return switch (random.nextInt(20)) {
            case 0 -> Bound.MIN;
            case 1 -> Bound.MAX;
            case 2 -> Bound.BEFORE_NULL;
            case 3 -> Bound.AFTER_NULL;
            default -> {
                Value value = Value.of(random.nextInt(signed ? -9 : 0, 10));
                yield random.nextBoolean() ? Bound.before(value) : Bound.after(value);
            }
        };
    }

    /// Said apart from the code under test.
    private static boolean isBefore(Type type, Bound bound, Value value) {
        if (bound.place() != 0) {
            return bound.place() < 0;
        }
        int order = Order.compare(type, bound.value(), value);
        return bound.after() ? order < 0 : order <= 0;
    }
}
