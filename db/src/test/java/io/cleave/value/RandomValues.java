package io.cleave.value;

import io.cleave.base.Bytes;
import io.cleave.value.Type.Primitive;

import java.math.BigInteger;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;

/// Random types and legal values of them, from a seed, with the extremes far more often than chance
/// would have them. Shared by the tests that go back and forth between values and some form.
public final class RandomValues {
    private final Random random;
    private final long seed;

    public RandomValues() {
        this(Long.getLong("seed", new Random().nextLong()));
    }

    public RandomValues(long seed) {
        this.seed = seed;
        this.random = new Random(seed);
    }

    /// For the description of every assertion, so that a failure can be run again.
    public String seed() {
        return "-Dseed=" + seed;
    }

    public Random random() {
        return random;
    }

    /// Every type a column may have.
    public static List<Type> columnTypes() {
        List<Type> types = new ArrayList<>(Arrays.asList(Primitive.values()));
        types.removeIf(TzText::isTz);
        types.add(new Type.Decimal(22, 9));
        types.add(new Type.Decimal(35, 0));
        types.add(new Type.Decimal(1, 1));
        return types;
    }

    public static List<Type> keyTypes() {
        return columnTypes().stream().filter(KeyCodec::isKeyType).toList();
    }

    public <T> T oneOf(List<T> choices) {
        return choices.get(random.nextInt(choices.size()));
    }

    /// A type with containers down to `depth`.
    public Type type(int depth) {
        if (depth == 0) {
            return oneOf(columnTypes());
        }
        return switch (random.nextInt(9)) {
            case 0, 1 -> new Type.Optional(type(depth - 1));
            case 2 -> new Type.ListOf(type(depth - 1));
            case 3 -> new Type.Tuple(types(depth - 1));
            case 4 -> struct(types(depth - 1));
            case 5 -> new Type.Dict(oneOf(keyTypes()), type(depth - 1));
            case 6 ->
                    new Type.Variant(
                            random.nextBoolean()
                                    ? new Type.Tuple(types(depth - 1))
                                    : struct(types(depth - 1)));
            case 7 -> new Type.Tagged("tag", type(depth - 1));
            default -> oneOf(List.of(Type.Unit.values()));
        };
    }

    private List<Type> types(int depth) {
        return Stream.generate(() -> type(depth)).limit(1 + random.nextInt(3)).toList();
    }

    private static Type struct(List<Type> types) {
        var members = new ArrayList<Type.Member>();
        for (Type type : types) {
            members.add(new Type.Member("m" + members.size(), type));
        }
        return new Type.Struct(members);
    }

    public Value value(Type type) {
        return switch (type) {
            case Primitive primitive -> primitive(primitive);
            case Type.Decimal decimal -> decimal(decimal);
            case Type.Optional(Type item) -> {
                if (random.nextInt(4) == 0) {
                    yield Value.Null.NULL;
                }
                Value inner = value(item);
                boolean wrapped = inner.isNull() || inner instanceof Value.Just;
                yield wrapped ? new Value.Just(inner) : inner;
            }
            case Type.ListOf(Type item) ->
                    Value.items(
                            Stream.generate(() -> value(item)).limit(random.nextInt(4)).toList());
            case Type.Tuple(List<Type> items) ->
                    Value.items(items.stream().map(this::value).toList());
            case Type.Struct(List<Type.Member> members) ->
                    Value.items(members.stream().map(m -> value(m.type())).toList());
            case Type.Dict(Type key, Type payload) -> {
                var keys = new HashSet<Value>();
                var pairs = new ArrayList<Value.Pair>();
                for (int count = random.nextInt(4); count > 0; count--) {
                    Value k = value(key);
                    if (keys.add(HashKey.ofGroup(key, k))) {
                        pairs.add(new Value.Pair(k, value(payload)));
                    }
                }
                yield new Value.Pairs(pairs);
            }
            case Type.Variant(Type choices) -> {
                List<Type> types =
                        choices instanceof Type.Struct(List<Type.Member> members)
                                ? members.stream().map(Type.Member::type).toList()
                                : ((Type.Tuple) choices).items();
                int index = random.nextInt(types.size());
                yield new Value.Choice(index, value(types.get(index)));
            }
            case Type.Tagged(_, Type base) -> value(base);
            case Type.Unit _ -> Value.Null.NULL;
        };
    }

    private Value primitive(Primitive type) {
        return switch (type) {
            case BOOL -> Value.bool(random.nextBoolean());
            case FLOAT -> Value.of((double) real(Float.MAX_VALUE).floatValue());
            case DOUBLE -> Value.of(real(Double.MAX_VALUE));
            case STRING -> Value.binary(Bytes.wrap(bytes()));
            case UTF8 -> Value.text(text());
            case YSON -> Value.binary(Bytes.utf8("{a=" + random.nextInt() + ";b=[%true;#]}"));
            case JSON -> Value.text("{\"a\": [" + random.nextInt() + ", null]}");
            case JSON_DOCUMENT ->
                    Value.text("{\"a\":" + random.nextInt(99) + ",\"b\":[1.5,\"x\"]}");
            case UUID -> new Value.Int128(random.nextLong(), random.nextLong());
            case DY_NUMBER -> dyNumber();
            case TZ_DATE, TZ_DATETIME, TZ_TIMESTAMP, TZ_DATE32, TZ_DATETIME64, TZ_TIMESTAMP64 ->
                    throw new IllegalArgumentException("not in columns");
            default -> Value.of(integer(type));
        };
    }

    private long integer(Primitive type) {
        long min = Ints.min(type);
        long max = Ints.max(type);
        long near = random.nextInt(5) - 2L;
        long number =
                switch (random.nextInt(6)) {
                    case 0 -> min;
                    case 1 -> max;
                    case 2 -> near;
                    case 3 -> max / 2 + near;
                    case 4 -> random.nextInt(256);
                    default -> random.nextLong() >> random.nextInt(63);
                };
        return Ints.fits(type, number) ? number : max;
    }

    private Double real(double max) {
        return switch (random.nextInt(7)) {
            case 0 -> 0.0;
            case 1 -> -0.0;
            case 2 -> Double.NaN;
            case 3 -> Double.POSITIVE_INFINITY;
            case 4 -> -max;
            case 5 -> (double) random.nextInt(100);
            default -> random.nextGaussian() * Math.pow(10, random.nextInt(30));
        };
    }

    private Value decimal(Type.Decimal type) {
        BigInteger bound = BigInteger.TEN.pow(type.precision());
        return switch (random.nextInt(8)) {
            case 0 -> DecimalMath.INF;
            case 1 -> DecimalMath.NEGATIVE_INF;
            case 2 -> DecimalMath.NAN;
            case 3 -> DecimalMath.int128(bound.subtract(BigInteger.ONE));
            case 4 -> DecimalMath.int128(BigInteger.ONE.subtract(bound));
            case 5 -> DecimalMath.int128(BigInteger.valueOf(random.nextInt(19) - 9));
            default -> {
                BigInteger number = new BigInteger(120, random).mod(bound);
                yield DecimalMath.int128(random.nextBoolean() ? number : number.negate());
            }
        };
    }

    private Value dyNumber() {
        var text = new StringBuilder(random.nextBoolean() ? "-" : "");
        // Few digits, so that one number often begins with another.
        for (int count = 1 + random.nextInt(random.nextInt(4) == 0 ? 38 : 4); count > 0; count--) {
            text.append(random.nextInt(3));
        }
        text.append('e').append(random.nextInt(5) == 0 ? random.nextInt(80) - 80 : 0);
        return Value.text(DyNumber.normalize(text.toString()).orElseThrow());
    }

    /// Few different bytes, so that prefixes and the escaped zero are common.
    private byte[] bytes() {
        byte[] alphabet = {0, 0, 1, (byte) 0xFF, 'a', 'b'};
        byte[] data = new byte[random.nextInt(6)];
        for (int index = 0; index < data.length; index++) {
            data[index] = alphabet[random.nextInt(alphabet.length)];
        }
        return data;
    }

    /// From all parts of Unicode whose order in UTF-8 differs from that in UTF-16, and zero.
    private String text() {
        int[] alphabet = {0, 'a', 'b', 0x7F, 0xE9, 0xD7FF, 0xE000, 0xFFFD, 0x1F600, 0x10FFFF};
        var text = new StringBuilder();
        for (int count = random.nextInt(6); count > 0; count--) {
            text.appendCodePoint(alphabet[random.nextInt(alphabet.length)]);
        }
        return text.toString();
    }
}
