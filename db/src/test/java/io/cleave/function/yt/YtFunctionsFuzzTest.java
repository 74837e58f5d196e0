package io.cleave.function.yt;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;

import io.cleave.base.Bytes;
import io.cleave.base.StatusException;
import io.cleave.typed.Typed;
import io.cleave.value.Type;
import io.cleave.value.Value;
import io.cleave.yt.error.YtException;

import org.junit.jupiter.api.Test;

import java.math.BigInteger;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.function.Supplier;
import java.util.stream.IntStream;

/// Calls functions and operators with random values.
class YtFunctionsFuzzTest {
    private static final long SEED = Long.getLong("seed", System.nanoTime());
    private static final int ROUNDS = Integer.getInteger("rounds", 20_000);

    private final SplittableRandom random = new SplittableRandom(SEED);
    private final YtOperators operators = new YtOperators(YtOperators.NullRelations.LEAST);

    /// A column with a random value.
    private record Column(YtType type, boolean optional, Value value) {
        Type columnType() {
            return optional ? type.type().optional() : type.type();
        }
    }

    @Test
    void anyArgumentsGiveAValueOrAnErrorOfTheQuery() {
        List<String> names = new ArrayList<>(YtFunctions.scalars().keySet());
        for (int round = 0; round < ROUNDS; round++) {
            String name = names.get(random.nextInt(names.size()));
            int count = random.nextInt(4);
            List<Column> columns = columns(count);
            attempt(
                    name + " of " + columns,
                    () -> YtFunctions.call(name, inputs(columns), name),
                    columns);
        }
    }

    @Test
    void argumentsOfTheRightTypesGiveAValueOrAnErrorOfTheQuery() {
        List<YtFunction> functions = new ArrayList<>(YtFunctions.scalars().values());
        int values = 0;
        for (int round = 0; round < ROUNDS; round++) {
            YtFunction function = functions.get(random.nextInt(functions.size()));
            var columns = new ArrayList<Column>();
            function.signature().arguments().forEach(place -> columns.add(column(place)));
            Signature.Place repeated = function.signature().repeated();
            for (int more = random.nextInt(4); repeated != null && more > 0; more--) {
                columns.add(column(repeated));
            }
            values +=
                    attempt(
                                    function.name() + " of " + columns,
                                    () -> YtFunctions.call(function.name(), inputs(columns), "f"),
                                    columns)
                            ? 1
                            : 0;
        }
        // Most calls must have succeeded, or the test tries nothing.
        assertThat(values).isGreaterThan(ROUNDS / 2);
    }

    @Test
    void operatorsOfAnythingGiveAValueOrAnErrorOfTheQuery() {
        for (int round = 0; round < ROUNDS; round++) {
            var operator = choice(YtBinaryOperator.values());
            List<Column> columns = columns(2);
            attempt(
                    operator + " of " + columns,
                    () ->
                            operators.binary(
                                    operator,
                                    inputs(columns).get(0),
                                    inputs(columns).get(1),
                                    "l",
                                    "r"),
                    columns);
        }
    }

    @Test
    void aggregatesOfAnythingGiveAValueOrAnErrorOfTheQuery() {
        List<String> names = new ArrayList<>(YtAggregates.names());
        for (int round = 0; round < ROUNDS / 4; round++) {
            String name = names.get(random.nextInt(names.size()));
            List<Column> columns = columns(1 + random.nextInt(2));
            try {
                var call = YtFunctions.aggregate(name, inputs(columns), name);
                var made = call.as(choice(call.types().toArray(YtType[]::new)));
                var accumulator = made.function().begin();
                for (int row = random.nextInt(5); row > 0; row--) {
                    accumulator.add(
                            columns.stream()
                                    .map(c -> value(c.type(), c.optional()))
                                    .toArray(Value[]::new));
                }
                assertThat(accumulator.result()).isNotNull();
                assertThat(accumulator.keptBytes()).isNotNegative();
            } catch (YtException | StatusException expected) {
                assertThat(expected.getMessage()).isNotBlank();
            } catch (RuntimeException e) {
                fail("-Dseed=" + SEED + ": " + name + " of " + columns, e);
            }
        }
    }

    @Test
    void integersAreThoseOfAModel() {
        for (int round = 0; round < ROUNDS; round++) {
            YtType type = random.nextBoolean() ? YtType.INT64 : YtType.UINT64;
            Column left = new Column(type, true, value(type, true));
            // Constants are computed by other kernels than columns.
            boolean literal = random.nextInt(3) == 0;
            Column right = new Column(type, true, value(type, true));
            var operator = choice(YtBinaryOperator.values());
            if (!operator.types().contains(type)) {
                continue;
            }
            UntypedExpression rightOperand =
                    literal
                            ? UntypedExpression.of(
                                    right.value().isNull()
                                            ? YtLiteral.NULL
                                            : new YtLiteral(type, right.value()))
                            : UntypedExpression.of(new Typed.Input(right.columnType(), 1));
            UntypedExpression expression =
                    operators.binary(
                            operator,
                            UntypedExpression.of(new Typed.Input(left.columnType(), 0)),
                            rightOperand,
                            "l",
                            "r");
            String actual;
            try {
                Value value = evaluated(expression.typed(), List.of(left, right));
                actual = YtEvaluation.print(expression.typed().type(), value);
            } catch (StatusException e) {
                actual = e.issues().getFirst().message();
            }
            assertThat(actual)
                    .as("-Dseed=%d: %s %s %s", SEED, left, operator, right)
                    .isEqualTo(model(operator, type, left.value(), right.value()));
        }
    }

    private static String model(YtBinaryOperator operator, YtType type, Value left, Value right) {
        if (operator.isRelation()) {
            int order =
                    left.isNull() || right.isNull()
                            ? Boolean.compare(!left.isNull(), !right.isNull())
                            : number(type, left).compareTo(number(type, right));
            boolean holds =
                    switch (operator) {
                        case EQUAL -> order == 0;
                        case NOT_EQUAL -> order != 0;
                        case LESS -> order < 0;
                        case LESS_OR_EQUAL -> order <= 0;
                        case GREATER -> order > 0;
                        default -> order >= 0;
                    };
            return holds ? "%true" : "%false";
        }
        if (left.isNull() || right.isNull()) {
            return "#";
        }
        BigInteger a = number(type, left);
        BigInteger b = number(type, right);
        boolean division =
                operator == YtBinaryOperator.DIVIDE || operator == YtBinaryOperator.MODULO;
        if (division && b.signum() == 0) {
            return "Division by zero";
        }
        if (division
                && b.equals(BigInteger.ONE.negate())
                && a.equals(BigInteger.valueOf(Long.MIN_VALUE))) {
            return "Division of INT_MIN by -1";
        }
        int shift = b.intValue() & 63;
        BigInteger result =
                switch (operator) {
                    case PLUS -> a.add(b);
                    case MINUS -> a.subtract(b);
                    case MULTIPLY -> a.multiply(b);
                    case DIVIDE -> a.divide(b);
                    case MODULO -> a.remainder(b);
                    case LEFT_SHIFT -> a.shiftLeft(shift);
                    case RIGHT_SHIFT -> a.shiftRight(shift);
                    case BIT_OR -> a.or(b);
                    default -> a.and(b);
                };
        return type == YtType.INT64
                ? Long.toString(result.longValue())
                : Long.toUnsignedString(result.longValue()) + "u";
    }

    private static BigInteger number(YtType type, Value value) {
        long bits = ((Value.Int) value).value();
        return type == YtType.INT64
                ? BigInteger.valueOf(bits)
                : new BigInteger(Long.toUnsignedString(bits));
    }

    @Test
    void sketchesCountAndMerge() {
        for (int size : new int[] {0, 1, 100, 5_000, 70_000, 300_000}) {
            var unique = new UniqueSketch();
            var uniqueParts = List.of(new UniqueSketch(), new UniqueSketch());
            var sketch = new HyperLogLogSketch(14);
            var parts = List.of(new HyperLogLogSketch(14), new HyperLogLogSketch(14));
            Set<Integer> hashes = new HashSet<>();
            for (int value = 0; value < size; value++) {
                long hash = YtHashFunctions.farmHash(new Value[] {Value.of(SEED + value)});
                hashes.add((int) hash);
                unique.add((int) hash);
                unique.add((int) hash);
                sketch.add(hash);
                uniqueParts.get(value % 2).add((int) hash);
                parts.get(value % 2).add(hash);
            }
            parts.get(0).merge(parts.get(1).state());
            uniqueParts.get(0).merge(uniqueParts.get(1).state());
            String seed = "-Dseed=" + SEED + " size " + size;
            assertThat(parts.get(0).state()).as(seed).isEqualTo(sketch.state());
            assertThat((double) sketch.estimate()).as(seed).isBetween(size * 0.96, size * 1.04);
            assertThat((double) unique.estimate()).as(seed).isBetween(size * 0.97, size * 1.03);
            if (size <= UniqueSketch.MAX_HASHES) {
                assertThat(unique.estimate()).as(seed).isEqualTo(hashes.size());
            }
            assertThat(uniqueParts.get(0).estimate()).as(seed).isEqualTo(unique.estimate());
        }
    }

    /// Returns whether there was a value.
    private boolean attempt(String what, Supplier<UntypedExpression> step, List<Column> columns) {
        try {
            UntypedExpression expression = step.get();
            YtType type = choice(expression.types().toArray(YtType[]::new));
            Typed typed = expression.as(type);
            Value value = evaluated(typed, columns);
            if (value.isNull()) {
                assertThat(typed.type().isOptional() || typed.type() == Type.Unit.NULL)
                        .as("-Dseed=%d: %s is NULL", SEED, what)
                        .isTrue();
            } else {
                // The value must have the type that was promised.
                assertThat(YtEvaluation.print(typed.type(), value)).isNotEmpty();
            }
            return true;
        } catch (YtException | StatusException expected) {
            assertThat(expected.getMessage()).isNotBlank();
            return false;
        } catch (RuntimeException e) {
            return fail("-Dseed=" + SEED + ": " + what, e);
        }
    }

    private static Value evaluated(Typed typed, List<Column> columns) {
        return YtEvaluation.value(
                typed,
                columns.stream().map(Column::columnType).toList(),
                columns.stream().map(Column::value).toArray(Value[]::new));
    }

    private static List<UntypedExpression> inputs(List<Column> columns) {
        var inputs = new ArrayList<UntypedExpression>();
        for (Column column : columns) {
            inputs.add(UntypedExpression.of(new Typed.Input(column.columnType(), inputs.size())));
        }
        return inputs;
    }

    private List<Column> columns(int count) {
        return IntStream.range(0, count)
                .mapToObj(
                        _ -> {
                            YtType type =
                                    choice(
                                            Arrays.copyOfRange(
                                                    YtType.values(), 1, YtType.values().length));
                            boolean optional = random.nextBoolean();
                            return new Column(type, optional, value(type, optional));
                        })
                .toList();
    }

    private Column column(Signature.Place place) {
        YtType type =
                choice(place.types().stream().filter(t -> t != YtType.NULL).toArray(YtType[]::new));
        boolean optional = random.nextInt(4) == 0;
        return new Column(type, optional, value(type, optional));
    }

    private Value value(YtType type, boolean optional) {
        if (optional && random.nextInt(5) == 0) {
            return Value.Null.NULL;
        }
        return switch (type) {
            case NULL -> Value.Null.NULL;
            case INT64, UINT64 -> Value.of(integer());
            case DOUBLE ->
                    Value.of(
                            choice(
                                    0.0,
                                    -0.0,
                                    1.5,
                                    -2.5,
                                    1e300,
                                    Double.NaN,
                                    Double.POSITIVE_INFINITY,
                                    Double.MIN_VALUE,
                                    (double) integer()));
            case BOOLEAN -> Value.bool(random.nextBoolean());
            case STRING -> Value.binary(string());
            case ANY -> Value.binary(yson());
        };
    }

    private long integer() {
        return switch (random.nextInt(4)) {
            case 0 -> choice(0L, 1L, -1L, 2L, Long.MIN_VALUE, Long.MAX_VALUE);
            case 1 -> random.nextInt(-10, 10);
            case 2 -> random.nextLong(0, 2_000_000_000);
            default -> random.nextLong();
        };
    }

    private Bytes string() {
        return switch (random.nextInt(4)) {
            case 0 ->
                    Bytes.utf8(
                            choice(
                                    "",
                                    "a",
                                    "(a)|b*",
                                    "\\1",
                                    "/a/0",
                                    "Europe/Moscow",
                                    "%Y-%m-%d %Q%",
                                    "12u",
                                    "-1.5e3",
                                    "привет",
                                    "[1;2]"));
            case 1 -> Bytes.utf8("%_\\ab".repeat(random.nextInt(5)));
            default -> {
                byte[] bytes = new byte[random.nextInt(12)];
                random.nextBytes(bytes);
                yield Bytes.wrap(bytes);
            }
        };
    }

    private Bytes yson() {
        String text =
                choice(
                        "#",
                        "1",
                        "-5",
                        "7u",
                        "1.5",
                        "%nan",
                        "%true",
                        "abc",
                        "[]",
                        "[1;2;3]",
                        "[a;#;1.0;{x=1}]",
                        "{a=1;b={c=[1]}}",
                        "<a=1>x",
                        "<a=1>[1]",
                        "{a",
                        "",
                        "]");
        return Bytes.utf8(text);
    }

    @SafeVarargs
    private <T> T choice(T... values) {
        return values[random.nextInt(values.length)];
    }
}
