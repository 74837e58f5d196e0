package io.cleave.function.text;

import io.cleave.base.Bytes;
import io.cleave.function.call.Numbers;
import io.cleave.function.call.Registry;
import io.cleave.value.Type.Primitive;
import io.cleave.value.Value;

import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.ArrayList;
import java.util.List;
import java.util.function.LongFunction;

/// `String::HumanReadable…`: quantities, sizes and durations with about three digits.
final class HumanReadable {
    private static final String[] UNITS = {"", "K", "M", "G", "T"};
    private static final long MICROS_PER_SECOND = 1_000_000;

    private HumanReadable() {}

    static void register(Registry registry) {
        add(registry, "HumanReadableQuantity", number -> scaled(number, 1000));
        add(registry, "HumanReadableBytes", HumanReadable::bytes);
        add(registry, "HumanReadableDuration", HumanReadable::duration);
    }

    private static void add(Registry registry, String name, LongFunction<String> printer) {
        registry.add(
                StringModule.MODULE,
                name,
                call -> {
                    call.expect(1);
                    return call.strict(
                            Primitive.STRING,
                            List.of(Numbers.count(call, 0)),
                            a ->
                                    Value.binary(
                                            Bytes.utf8(printer.apply(((Value.Int) a[0]).value()))));
                });
    }

    private static String bytes(long number) {
        boolean small = Long.compareUnsigned(number, 1024) < 0;
        return scaled(number, 1024) + (small ? "B" : "iB");
    }

    /// The number in the largest unit that does not exceed it, with the unit.
    private static String scaled(long number, int base) {
        double value = unsigned(number);
        int unit = 0;
        while (value >= base && unit + 1 < UNITS.length) {
            value /= base;
            unit++;
        }
        return shortly(value) + UNITS[unit];
    }

    private static double unsigned(long number) {
        return number >= 0 ? number : (number >>> 1) * 2.0 + (number & 1);
    }

    /// Two decimal places below 10, one below 100, none above; no trailing zeros.
    private static String shortly(double value) {
        int places = (long) (value * 100) < 1000 ? 2 : (long) (value * 10) < 1000 ? 1 : 0;
        BigDecimal rounded = new BigDecimal(value).setScale(places, RoundingMode.HALF_EVEN);
        return rounded.signum() == 0 ? "0" : rounded.stripTrailingZeros().toPlainString();
    }

    private static String duration(long micros) {
        if (Long.compareUnsigned(micros, 1000) < 0) {
            return micros + "us";
        }
        if (Long.compareUnsigned(micros, MICROS_PER_SECOND) < 0) {
            return shortly(micros / 1000.0) + "ms";
        }
        // Rounded to milliseconds. From one minute on, fractions of a second are dropped.
        long millis = Long.divideUnsigned(micros, 1000);
        millis += Long.remainderUnsigned(micros, 1000) >= 500 ? 1 : 0;
        if (millis < 60_000) {
            return shortly(millis / 1000.0) + "s";
        }
        long seconds = millis / 1000;
        var parts = new ArrayList<String>();
        part(parts, seconds / 86_400, "d");
        part(parts, seconds / 3600 % 24, "h");
        part(parts, seconds / 60 % 60, "m");
        part(parts, seconds % 60, "s");
        return String.join(" ", parts);
    }

    private static void part(List<String> parts, long number, String unit) {
        if (number > 0) {
            parts.add(number + unit);
        }
    }
}
