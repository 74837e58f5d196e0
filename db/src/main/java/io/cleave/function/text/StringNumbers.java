package io.cleave.function.text;

import io.cleave.base.Bytes;
import io.cleave.function.call.FunctionCall;
import io.cleave.function.call.Lists;
import io.cleave.function.call.Numbers;
import io.cleave.function.call.Registry;
import io.cleave.function.call.Texts;
import io.cleave.typed.Typed;
import io.cleave.value.Type;
import io.cleave.value.Type.Primitive;
import io.cleave.value.Value;

import java.math.BigDecimal;
import java.math.MathContext;
import java.math.RoundingMode;
import java.util.ArrayList;
import java.util.List;

/// The functions of the module `String` that print numbers or split strings into bytes.
final class StringNumbers {
    private static final String MODULE = StringModule.MODULE;
    private static final Type BYTE_LIST = new Type.ListOf(Primitive.UINT8);
    private static final int MAX_DIGITS = 100;

    private StringNumbers() {}

    static void register(Registry registry) {
        number(registry, "Hex", Primitive.UINT64, n -> "0x%016X".formatted(n));
        number(registry, "SHex", Primitive.INT64, n -> sign(n) + "0x%016X".formatted(Math.abs(n)));
        number(registry, "Bin", Primitive.UINT64, n -> "0b" + bits(n));
        number(registry, "SBin", Primitive.INT64, n -> sign(n) + "0b" + bits(Math.abs(n)));
        registry.add(MODULE, "Prec", StringNumbers::precise);
        registry.add(MODULE, "ToByteList", StringNumbers::toBytes);
        registry.add(MODULE, "FromByteList", StringNumbers::fromBytes);
        HumanReadable.register(registry);
    }

    @FunctionalInterface
    private interface Printer {
        String print(long number);
    }

    private static void number(Registry registry, String name, Primitive type, Printer printer) {
        registry.add(
                MODULE,
                name,
                call -> {
                    call.expect(1);
                    return call.strict(
                            Primitive.STRING,
                            List.of(Numbers.of(call, 0, type)),
                            a ->
                                    Value.binary(
                                            Bytes.utf8(printer.print(((Value.Int) a[0]).value()))));
                });
    }

    private static String sign(long number) {
        return number < 0 ? "-" : "";
    }

    private static String bits(long number) {
        String bits = Long.toBinaryString(number);
        return "0".repeat(Long.SIZE - bits.length()) + bits;
    }

    /// `Prec(x, digits)`: prints the number with that many significant digits.
    private static Typed precise(FunctionCall call) {
        call.expect(2);
        return call.strict(
                Primitive.STRING,
                List.of(call.as(0, Primitive.DOUBLE), Numbers.count(call, 1)),
                a -> {
                    double number = ((Value.Real) a[0]).value();
                    int digits = Math.max(1, Numbers.bounded(a[1], MAX_DIGITS));
                    return Value.binary(Bytes.utf8(precise(number, digits)));
                });
    }

    /// The format of `%.*g` in C.
    private static String precise(double number, int digits) {
        if (!Double.isFinite(number) || number == 0) {
            return Double.isNaN(number) ? "nan" : number == 0 ? "0" : number > 0 ? "inf" : "-inf";
        }
        BigDecimal rounded =
                new BigDecimal(number).round(new MathContext(digits, RoundingMode.HALF_EVEN));
        int exponent = rounded.precision() - rounded.scale() - 1;
        BigDecimal bare = rounded.stripTrailingZeros();
        if (exponent >= -4 && exponent < digits) {
            return bare.toPlainString();
        }
        String mantissa = bare.movePointLeft(exponent).stripTrailingZeros().toPlainString();
        return mantissa + "e" + (exponent < 0 ? "-" : "+") + "%02d".formatted(Math.abs(exponent));
    }

    private static Typed toBytes(FunctionCall call) {
        call.expect(1);
        return call.strict(
                BYTE_LIST,
                List.of(call.as(0, Primitive.STRING)),
                a -> {
                    var items = new ArrayList<Value>();
                    for (byte b : Texts.bytes(a[0]).array()) {
                        items.add(Value.of(b & 0xFF));
                    }
                    return Value.items(items);
                });
    }

    private static Typed fromBytes(FunctionCall call) {
        call.expect(1);
        return call.strict(
                Primitive.STRING,
                List.of(call.as(0, BYTE_LIST)),
                a -> {
                    List<Value> items = Lists.items(a[0]);
                    byte[] bytes = new byte[items.size()];
                    for (int index = 0; index < bytes.length; index++) {
                        bytes[index] = (byte) ((Value.Int) items.get(index)).value();
                    }
                    return Value.binary(Bytes.wrap(bytes));
                });
    }
}
