package io.cleave.function.yt;

import io.cleave.base.Bytes;
import io.cleave.typed.ScalarFunction;
import io.cleave.typed.Typed;
import io.cleave.value.Type;
import io.cleave.value.Value;
import io.cleave.value.YsonNode;
import io.cleave.value.YsonWriter;

import org.jspecify.annotations.Nullable;

import java.util.List;

/// Conversions between the types of the query language. NULL stays NULL.
final class YtCasts {
    private static final double TWO_63 = 0x1p63;
    private static final double TWO_64 = 0x1p64;

    private YtCasts() {}

    /// The expression as the given type. Refuses types that cannot be converted.
    static Typed cast(Typed operand, YtType to) {
        YtType from = YtType.of(operand.type());
        if (from == to) {
            return operand;
        }
        Type type = YtComparison.mayBeNull(operand) ? to.type().optional() : to.type();
        if (from == YtType.NULL) {
            return new Typed.Constant(type, Value.Null.NULL);
        }
        ScalarFunction.Body body = body(from, to);
        if (body == null) {
            throw YtQueryErrors.error(
                            "Cast from %s to %s is not supported at the moment"
                                    .formatted(text(operand.type()), to.text()))
                    .exception();
        }
        ScalarFunction function = new ScalarFunction.Refusing(ScalarFunction.strict("cast", body));
        return new Typed.Apply(type, function, List.of(operand));
    }

    private static String text(Type type) {
        String name = YtType.of(type).text();
        return type.isOptional() ? "optional<" + name + ">" : name;
    }

    private static ScalarFunction.@Nullable Body body(YtType from, YtType to) {
        if (to == YtType.ANY) {
            return a -> YtYson.value(YtYson.node(from, a[0]));
        }
        return switch (from) {
            case ANY -> a -> ofAny(YtArithmetic.bytes(a[0]), to);
            case STRING -> to.isNumber() ? a -> ofString(YtArithmetic.bytes(a[0]), to) : null;
            case INT64, UINT64 ->
                    switch (to) {
                        case INT64, UINT64 -> a -> a[0];
                        case DOUBLE -> a -> Value.of(real(from, YtArithmetic.integer(a[0])));
                        case BOOLEAN -> a -> Value.bool(YtArithmetic.integer(a[0]) != 0);
                        case STRING -> a -> text(from, a[0]);
                        case NULL, ANY -> null;
                    };
            case DOUBLE ->
                    switch (to) {
                        case INT64, UINT64 -> a -> Value.of(integer(YtArithmetic.real(a[0]), to));
                        case STRING -> a -> text(from, a[0]);
                        default -> null;
                    };
            case BOOLEAN -> to.isInteger() ? a -> Value.of(YtArithmetic.bool(a[0]) ? 1 : 0) : null;
            case NULL -> null;
        };
    }

    static double real(YtType from, long bits) {
        return from == YtType.UINT64 ? YtLiteral.unsignedToDouble(bits) : (double) bits;
    }

    private static long integer(double real, YtType to) {
        if (Double.isNaN(real)) {
            throw YtQueryErrors.failure("NaN is not convertible to integer");
        }
        boolean unsigned = to == YtType.UINT64;
        boolean fits = unsigned ? real >= 0 && real < TWO_64 : real >= -TWO_63 && real < TWO_63;
        if (!fits) {
            throw YtQueryErrors.failure("Floating point value out of integer range");
        }
        return unsigned ? YtLiteral.doubleToUnsigned(real) : (long) real;
    }

    /// A number as a string, in the text form of YSON.
    static Value text(YtType from, Value value) {
        return Value.binary(YsonWriter.write(YtYson.node(from, value), YsonWriter.Format.TEXT));
    }

    private static Value ofAny(Bytes yson, YtType to) {
        YsonNode node = YtYson.parse(yson);
        Value number = to.isNumber() ? number(node, to) : null;
        if (number != null) {
            return number;
        }
        return switch (node) {
            case YsonNode.Bool(boolean value) when to == YtType.BOOLEAN -> Value.bool(value);
            case YsonNode.Text(Bytes value) when to == YtType.STRING -> Value.binary(value);
            default ->
                    throw YtQueryErrors.failure(
                            "Cannot convert value \"%s\" of type \"any\" to \"%s\""
                                    .formatted(YtYson.escaped(node), to.text()));
        };
    }

    static Value ofString(Bytes string, YtType to) {
        YsonNode node = YsonNode.parse(string).orElse(new YsonNode.Entity());
        Value number = number(node, to);
        if (number == null) {
            throw YtQueryErrors.failure(
                    "Cannot convert value \"%s\" of type \"%s\" to \"string\""
                            .formatted(YtYson.escaped(string), to.text()));
        }
        return number;
    }

    /// The number as another type of number; null if the node is not a number. Integers keep their
    /// bits.
    private static @Nullable Value number(YsonNode node, YtType to) {
        return switch (node) {
            case YsonNode.Int64(long value) ->
                    to == YtType.DOUBLE ? Value.of((double) value) : Value.of(value);
            case YsonNode.Uint64(long value) ->
                    to == YtType.DOUBLE
                            ? Value.of(YtLiteral.unsignedToDouble(value))
                            : Value.of(value);
            case YsonNode.Real(double value) ->
                    to == YtType.DOUBLE ? Value.of(value) : Value.of(integer(value, to));
            default -> null;
        };
    }
}
