package io.cleave.value;

import io.cleave.base.Bytes;
import io.cleave.value.Type.Primitive;

import java.math.BigDecimal;
import java.util.List;

/// The order of values, for ORDER BY and comparisons; for hash tables see [HashKey].
///
/// Every order here is total. NULL comes first and equals NULL; NaN comes last and equals NaN. A
/// comparison in a query treats these two differently, and must check for them first: see
/// [#isUnordered].
public final class Order {
    /// Groups of types whose values can be compared with each other, whatever their widths.
    private enum Family {
        BOOL,
        NUMBER,
        DECIMAL,
        STRING,
        MOMENT,
        INTERVAL,
        UUID,
        DY_NUMBER,
        /// Compared by the moment, then by the name of the zone.
        ZONED,
        /// Neither ordered nor comparable for equality: Json, JsonDocument and Yson.
        NONE
    }

    private Order() {}

    /// Whether values of the type can be compared with `<` and `>`. Structs and dicts, and types
    /// that contain them, cannot.
    public static boolean isOrdered(Type type) {
        return switch (type) {
            case Primitive primitive -> family(primitive) != Family.NONE;
            case Type.Decimal _ -> true;
            case Type.Optional _, Type.ListOf _, Type.Tagged _ -> isOrdered(item(type));
            case Type.Tuple(List<Type> items) -> items.stream().allMatch(Order::isOrdered);
            case Type.Variant(Type.Tuple choices) -> isOrdered(choices);
            case Type.Variant(Type choices) ->
                    types((Type.Struct) choices).stream().allMatch(Order::isOrdered);
            case Type.Struct _, Type.Dict _ -> false;
            case Type.Unit unit -> unit != Type.Unit.EMPTY_DICT;
        };
    }

    /// Whether values of the two types can be distinguished, and sorted together in some order.
    /// This includes structs, although they are not [#isOrdered].
    public static boolean isComparable(Type left, Type right) {
        return match(left, right, false);
    }

    /// Whether `=` exists between the two types: as [#isComparable], and also for dicts.
    public static boolean isEquatable(Type left, Type right) {
        return match(left, right, true);
    }

    private static boolean match(Type left, Type right, boolean equality) {
        Type l = left.unwrapped();
        Type r = right.unwrapped();
        if (l == Type.Unit.NULL || r == Type.Unit.NULL) {
            return true;
        }
        if (l instanceof Type.Decimal(_, int scale) && r instanceof Type.Decimal(_, int other)) {
            return scale == other;
        }
        if (l instanceof Type.Decimal || r instanceof Type.Decimal) {
            return Ints.isInteger(l) || Ints.isInteger(r);
        }
        if (l instanceof Primitive lp && r instanceof Primitive rp) {
            return family(lp) != Family.NONE && family(lp) == family(rp);
        }
        return switch (l) {
            case Type.Optional _, Type.ListOf _, Type.Tagged _ ->
                    l.getClass() == r.getClass() && match(item(l), item(r), equality);
            case Type.Tuple(List<Type> items) ->
                    r instanceof Type.Tuple(List<Type> others) && matchAll(items, others, equality);
            case Type.Struct struct ->
                    r instanceof Type.Struct other
                            && names(struct).equals(names(other))
                            && matchAll(types(struct), types(other), equality);
            case Type.Variant(Type choices) ->
                    r instanceof Type.Variant(Type others) && match(choices, others, equality);
            case Type.Dict(Type key, Type payload) ->
                    equality
                            && r instanceof Type.Dict(Type otherKey, Type otherPayload)
                            && key.equals(otherKey)
                            && match(payload, otherPayload, true);
            default -> l.equals(r) && l instanceof Type.Unit;
        };
    }

    /// Compares two values of one type; NULL is the smallest.
    public static int compare(Type type, Value left, Value right) {
        return compare(type, left, type, right);
    }

    /// As [#compare(Type, Value, Value)], for two comparable types: numbers by their value, String
    /// with Utf8 by bytes, dates by the moment they begin.
    public static int compare(Type leftType, Value left, Type rightType, Value right) {
        if (left.isNull() || right.isNull()) {
            return Boolean.compare(!left.isNull(), !right.isNull());
        }
        if (leftType instanceof Type.Tagged || rightType instanceof Type.Tagged) {
            return compare(untagged(leftType), left, untagged(rightType), right);
        }
        if (leftType.isOptional() || rightType.isOptional()) {
            // Both are unwrapped together, so that a NULL inside is compared with a value of its
            // own level.
            return compare(leftType.unwrapped(), inner(left), rightType.unwrapped(), inner(right));
        }
        return switch (left) {
            case Value.Bool(boolean bool) -> Boolean.compare(bool, ((Value.Bool) right).value());
            case Value.Int(long number) -> compareInt(leftType, number, rightType, right);
            case Value.Real(double real) ->
                    right instanceof Value.Int(long number)
                            ? -compareIntReal(isUnsigned(rightType), number, real)
                            : compareReal(real, ((Value.Real) right).value());
            case Value.Int128 wide ->
                    leftType == Primitive.UUID
                            ? compareUuid(wide, (Value.Int128) right)
                            : compareWithDecimal(leftType, wide, rightType, right);
            case Value.Text(String text) -> {
                if (right instanceof Value.Binary(Bytes bytes)) {
                    yield Bytes.utf8(text).compareTo(bytes);
                }
                String other = ((Value.Text) right).value();
                if (TzText.isTz(leftType)) {
                    int moments = Long.compare(TzText.utcMicros(text), TzText.utcMicros(other));
                    yield moments != 0 ? moments : TzText.zone(text).compareTo(TzText.zone(other));
                }
                yield leftType == Primitive.DY_NUMBER
                        ? DyNumber.compare(text, other)
                        : compareUtf8(text, other);
            }
            case Value.Binary(Bytes bytes) ->
                    bytes.compareTo(
                            right instanceof Value.Text(String text)
                                    ? Bytes.utf8(text)
                                    : ((Value.Binary) right).value());
            case Value.Items(List<Value> items) ->
                    compareItems(leftType, items, rightType, ((Value.Items) right).items());
            case Value.Choice(int index, Value value) -> {
                var other = (Value.Choice) right;
                yield index != other.index()
                        ? Integer.compare(index, other.index())
                        : compare(
                                item(leftType, index),
                                value,
                                item(rightType, index),
                                other.value());
            }
            case Value.Pairs(List<Value.Pair> pairs) ->
                    comparePairs((Type.Dict) leftType, pairs, ((Value.Pairs) right).pairs());
            case Value.Just _, Value.Null _ ->
                    throw new IllegalArgumentException("not a value of " + leftType.text());
        };
    }

    /// Whether `<`, `=` and `>` are all false for the value: NaN of a Float, a Double or a Decimal.
    public static boolean isUnordered(Type type, Value value) {
        return switch (value) {
            case Value.Real(double real) -> Double.isNaN(real);
            case Value.Int128 wide -> bare(type) instanceof Type.Decimal && DecimalMath.isNan(wide);
            default -> false;
        };
    }

    /// Compares by UTF-8 bytes, which is the order of the code points. Java's own order differs if
    /// a surrogate is compared with U+E000 to U+FFFF.
    public static int compareUtf8(String left, String right) {
        int common = Math.min(left.length(), right.length());
        for (int index = 0; index < common; index++) {
            char l = left.charAt(index);
            char r = right.charAt(index);
            if (l != r) {
                // A surrogate belongs to a code point above all single chars.
                boolean leftPair = Character.isSurrogate(l);
                boolean rightPair = Character.isSurrogate(r);
                return leftPair == rightPair
                        ? Character.compare(l, r)
                        : Boolean.compare(leftPair, rightPair);
            }
        }
        return Integer.compare(left.length(), right.length());
    }

    private static int compareInt(Type leftType, long left, Type rightType, Value right) {
        if (right instanceof Value.Real(double real)) {
            return compareIntReal(isUnsigned(leftType), left, real);
        }
        if (rightType instanceof Type.Decimal) {
            return -compareDecimal(rightType, (Value.Int128) right, isUnsigned(leftType), left);
        }
        long other = ((Value.Int) right).value();
        if (leftType.equals(rightType)) {
            return leftType == Primitive.UINT64
                    ? Long.compareUnsigned(left, other)
                    : Long.compare(left, other);
        }
        var leftPrimitive = (Primitive) leftType;
        if (family(leftPrimitive) == Family.MOMENT) {
            return Long.compare(
                    left * unitMicros(leftPrimitive), other * unitMicros((Primitive) rightType));
        }
        boolean leftBeyond = left < 0 && isUnsigned(leftType);
        boolean rightBeyond = other < 0 && isUnsigned(rightType);
        return leftBeyond == rightBeyond
                ? Long.compare(left, other)
                : Boolean.compare(leftBeyond, rightBeyond);
    }

    private static int compareIntReal(boolean unsigned, long number, double real) {
        if (Double.isNaN(real)) {
            return -1;
        }
        if (Double.isInfinite(real)) {
            return real > 0 ? -1 : 1;
        }
        if (Math.abs(number) < 1L << 53 && number > Long.MIN_VALUE && !(unsigned && number < 0)) {
            return Double.compare((double) number, real + 0.0);
        }
        return new BigDecimal(Ints.number(unsigned, number)).compareTo(new BigDecimal(real));
    }

    private static int compareReal(double left, double right) {
        // Adding zero turns -0.0 into 0.0.
        return Double.compare(left + 0.0, right + 0.0);
    }

    private static int compareUuid(Value.Int128 left, Value.Int128 right) {
        int low =
                Long.compareUnsigned(Long.reverseBytes(left.low()), Long.reverseBytes(right.low()));
        return low != 0
                ? low
                : Long.compareUnsigned(
                        Long.reverseBytes(left.high()), Long.reverseBytes(right.high()));
    }

    private static int compareWithDecimal(
            Type leftType, Value.Int128 left, Type rightType, Value right) {
        return right instanceof Value.Int128 wide
                ? DecimalMath.compare(left, wide)
                : compareDecimal(
                        leftType, left, isUnsigned(rightType), ((Value.Int) right).value());
    }

    private static int compareDecimal(
            Type type, Value.Int128 decimal, boolean unsigned, long integer) {
        if (!DecimalMath.isNumber(decimal, Type.Decimal.MAX_PRECISION)) {
            return decimal.equals(DecimalMath.NEGATIVE_INF) ? -1 : 1;
        }
        int scale = ((Type.Decimal) type).scale();
        return new BigDecimal(DecimalMath.bigInteger(decimal), scale)
                .compareTo(new BigDecimal(Ints.number(unsigned, integer)));
    }

    private static int compareItems(
            Type leftType, List<Value> left, Type rightType, List<Value> right) {
        int common = Math.min(left.size(), right.size());
        for (int index = 0; index < common; index++) {
            int order =
                    compare(
                            item(leftType, index),
                            left.get(index),
                            item(rightType, index),
                            right.get(index));
            if (order != 0) {
                return order;
            }
        }
        return Integer.compare(left.size(), right.size());
    }

    /// Queries cannot order dicts; this order only makes dicts usable as parts of keys.
    private static int comparePairs(Type.Dict type, List<Value.Pair> left, List<Value.Pair> right) {
        List<Value.Pair> l = sorted(type, left);
        List<Value.Pair> r = sorted(type, right);
        for (int index = 0; index < Math.min(l.size(), r.size()); index++) {
            int order = compare(type.key(), l.get(index).key(), r.get(index).key());
            if (order == 0) {
                order = compare(type.payload(), l.get(index).payload(), r.get(index).payload());
            }
            if (order != 0) {
                return order;
            }
        }
        return Integer.compare(l.size(), r.size());
    }

    static List<Value.Pair> sorted(Type.Dict type, List<Value.Pair> pairs) {
        return pairs.stream().sorted((l, r) -> compare(type.key(), l.key(), r.key())).toList();
    }

    private static Family family(Primitive type) {
        return switch (type) {
            case BOOL -> Family.BOOL;
            case INT8, UINT8, INT16, UINT16, INT32, UINT32, INT64, UINT64 -> Family.NUMBER;
            case FLOAT, DOUBLE -> Family.NUMBER;
            case STRING, UTF8 -> Family.STRING;
            case DATE, DATETIME, TIMESTAMP, DATE32, DATETIME64, TIMESTAMP64 -> Family.MOMENT;
            case INTERVAL, INTERVAL64 -> Family.INTERVAL;
            case UUID -> Family.UUID;
            case DY_NUMBER -> Family.DY_NUMBER;
            case TZ_DATE, TZ_DATETIME, TZ_TIMESTAMP -> Family.ZONED;
            case TZ_DATE32, TZ_DATETIME64, TZ_TIMESTAMP64 -> Family.ZONED;
            case YSON, JSON, JSON_DOCUMENT -> Family.NONE;
        };
    }

    /// The unit of a date type in microseconds.
    static long unitMicros(Primitive type) {
        return switch (type) {
            case DATE, DATE32 -> Ints.DAY_MICROS;
            case DATETIME, DATETIME64 -> Ints.SECOND_MICROS;
            default -> 1;
        };
    }

    static boolean isUnsigned(Type type) {
        return type instanceof Primitive primitive && !Ints.isSigned(primitive);
    }

    /// The value inside an Optional. A Just exists only if the item is itself an Optional.
    private static Value inner(Value value) {
        return value instanceof Value.Just(Value item) ? item : value;
    }

    /// The type without all Optionals and tags.
    static Type bare(Type type) {
        return switch (type) {
            case Type.Optional(Type item) -> bare(item);
            case Type.Tagged(_, Type base) -> bare(base);
            default -> type;
        };
    }

    private static Type untagged(Type type) {
        return type instanceof Type.Tagged(_, Type base) ? untagged(base) : type;
    }

    private static Type item(Type type) {
        return switch (type) {
            case Type.Optional(Type item) -> item;
            case Type.ListOf(Type item) -> item;
            case Type.Tagged(_, Type base) -> base;
            default -> throw new IllegalArgumentException("no item in " + type.text());
        };
    }

    static Type item(Type type, int index) {
        return switch (type) {
            case Type.ListOf(Type item) -> item;
            case Type.Tuple(List<Type> items) -> items.get(index);
            case Type.Struct(List<Type.Member> members) -> members.get(index).type();
            case Type.Variant(Type choices) -> item(choices, index);
            case Type.Tagged(_, Type base) -> item(base, index);
            case Type.Optional(Type item) -> item(item, index);
            default -> throw new IllegalArgumentException("no items in " + type.text());
        };
    }

    private static boolean matchAll(List<Type> left, List<Type> right, boolean equality) {
        if (left.size() != right.size()) {
            return false;
        }
        for (int index = 0; index < left.size(); index++) {
            if (!match(left.get(index), right.get(index), equality)) {
                return false;
            }
        }
        return true;
    }

    private static List<String> names(Type.Struct struct) {
        return struct.members().stream().map(Type.Member::name).toList();
    }

    private static List<Type> types(Type.Struct struct) {
        return struct.members().stream().map(Type.Member::type).toList();
    }
}
