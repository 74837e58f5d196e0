package io.cleave.function.document;

import io.cleave.base.Bytes;
import io.cleave.value.Ints;
import io.cleave.value.Json;
import io.cleave.value.Type;
import io.cleave.value.Type.Primitive;
import io.cleave.value.Value;

import java.math.BigInteger;
import java.util.Optional;

/// Converts the item that JSON_VALUE found to a YQL value. A JSON null becomes NULL.
final class JsonScalars {
    private JsonScalars() {}

    /// The item does not have the requested type.
    static final class Mismatch extends Exception {
        private static final long serialVersionUID = 1L;

        private Mismatch(String message) {
            super(message, null, false, false);
        }
    }

    static Mismatch failure(String message) {
        return new Mismatch(message);
    }

    static boolean canReturn(Type type) {
        return type instanceof Primitive primitive
                && switch (primitive) {
                    case BOOL, FLOAT, DOUBLE, STRING, UTF8, DATE, DATETIME, TIMESTAMP -> true;
                    default -> Ints.isInteger(type);
                };
    }

    /// Any scalar as Utf8, the result of JSON_VALUE without RETURNING.
    static Value text(Json json) throws Mismatch {
        return switch (json) {
            case Json.Constant.NULL -> Value.Null.NULL;
            case Json.Text(String text) -> Value.text(text);
            case Json.Constant _, Json.Numeral _ -> Value.text(json.print());
            case Json.Array _, Json.Members _ ->
                    throw failure("Extracted JSON value is either object or array");
        };
    }

    /// The item as a value of the type. Only numbers are converted, to other number types and to
    /// dates.
    static Value value(Type type, Json json) throws Mismatch {
        return switch (json) {
            case Json.Constant.NULL -> Value.Null.NULL;
            case Json.Array _, Json.Members _ ->
                    throw failure("Extracted JSON value is either object or array");
            case Json.Text(String text) when type == Primitive.UTF8 -> Value.text(text);
            case Json.Text(String text) when type == Primitive.STRING ->
                    Value.binary(Bytes.utf8(text));
            case Json.Constant constant when type == Primitive.BOOL ->
                    Value.bool(constant == Json.Constant.TRUE);
            case Json.Numeral(double number, _) when type == Primitive.DOUBLE -> Value.of(number);
            case Json.Numeral(double number, _) when type == Primitive.FLOAT ->
                    Value.of((double) (float) number);
            case Json.Numeral(double number, Optional<BigInteger> whole)
                    when Ints.bytes((Primitive) type) > 0 ->
                    whole.isPresent()
                            ? integer((Primitive) type, whole.get())
                            : integer((Primitive) type, number);
            case Json.Text _, Json.Constant _, Json.Numeral _ -> throw mismatch();
        };
    }

    private static Mismatch mismatch() {
        return failure("Cannot convert extracted JSON value to target type");
    }

    private static Value integer(Primitive type, BigInteger number) throws Mismatch {
        boolean fits =
                type == Primitive.UINT64
                        ? number.signum() >= 0
                        : number.bitLength() < Long.SIZE && Ints.fits(type, number.longValue());
        if (!fits) {
            throw mismatch();
        }
        return Value.of(number.longValue());
    }

    private static Value integer(Primitive type, double number) throws Mismatch {
        if (number != Math.rint(number)) {
            throw mismatch();
        }
        if (type == Primitive.UINT64) {
            if (number < 0 || number >= 0x1p64) {
                throw mismatch();
            }
            return Value.of(
                    number < 0x1p63 ? (long) number : (long) (number - 0x1p63) ^ Long.MIN_VALUE);
        }
        if (Math.abs(number) >= 0x1p63 || !Ints.fits(type, (long) number)) {
            throw mismatch();
        }
        return Value.of((long) number);
    }
}
