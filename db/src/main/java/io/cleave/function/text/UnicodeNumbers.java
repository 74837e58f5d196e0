package io.cleave.function.text;

import io.cleave.base.Issue.Position;
import io.cleave.base.StatusException;
import io.cleave.function.call.FunctionCall;
import io.cleave.function.call.Latest;
import io.cleave.function.call.Numbers;
import io.cleave.function.call.Texts;
import io.cleave.typed.Errors;
import io.cleave.typed.Typed;
import io.cleave.value.Type.Primitive;
import io.cleave.value.Value;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// The functions of the module `Unicode` that parse numbers, and its test for sets of letters.
final class UnicodeNumbers {
    private UnicodeNumbers() {}

    /// `ToUint64(text[, base])`. If the base is 0, NULL or missing, it is 10, or given by the
    /// prefix `0x` or `0`. An invalid number fails the query if `strict`; otherwise the result is
    /// NULL.
    static Typed parse(FunctionCall call, boolean strict) {
        call.expect(1, 2);
        Position at = call.at();
        var arguments = new ArrayList<Typed>();
        arguments.add(UnicodeModule.text(call, 0));
        if (call.count() == 2) {
            arguments.add(Numbers.or(call, 1, Primitive.UINT16, 0));
        }
        return call.strict(
                strict ? Primitive.UINT64 : Primitive.UINT64.optional(),
                arguments,
                a -> {
                    int base = a.length == 2 ? (int) ((Value.Int) a[1]).value() : 0;
                    String text = Texts.of(a[0]);
                    Optional<Long> number = number(text, base);
                    if (number.isEmpty() && strict) {
                        throw Errors.failure(
                                at, "Input string contains junk: \"%s\"".formatted(text));
                    }
                    return number.map(Value::of).orElse(Value.Null.NULL);
                });
    }

    /// A negative number wraps around from 2^64.
    private static Optional<Long> number(String text, int base) {
        if (text.startsWith("-")) {
            return unsigned(text.substring(1), base).map(number -> -number);
        }
        return unsigned(text.startsWith("+") ? text.substring(1) : text, base);
    }

    private static Optional<Long> unsigned(String text, int base) {
        String digits = text;
        int radix = base == 0 ? 10 : base;
        boolean hex = text.startsWith("0x") || text.startsWith("0X");
        if (hex && (base == 0 || base == 16)) {
            digits = text.substring(2);
            radix = 16;
        } else if (base == 0 && text.length() > 1 && text.startsWith("0")) {
            digits = text.substring(1);
            radix = 8;
        }
        boolean signed = digits.startsWith("-") || digits.startsWith("+");
        if (signed || radix < Character.MIN_RADIX || radix > Character.MAX_RADIX) {
            return Optional.empty();
        }
        try {
            return Optional.of(Long.parseUnsignedLong(digits, radix));
        } catch (NumberFormatException _) {
            return Optional.empty();
        }
    }

    /// `IsUnicodeSet(text, "[a-z]")`: whether every letter is in the set.
    static Typed isUnicodeSet(FunctionCall call) {
        call.expect(2);
        var at = call.at();
        var latest = new Latest<>(set -> lettersOf(at, set));
        return call.strictLong(
                Primitive.BOOL,
                List.of(UnicodeModule.text(call, 0), call.string(1)),
                (a, run) -> Value.bool(latest.of(Texts.of(a[1])).matches(Texts.of(a[0]), run)));
    }

    private static Regex lettersOf(Position at, String set) {
        try {
            return Regex.compile(at, "(?s)(?:" + set + ")*");
        } catch (StatusException _) {
            throw Errors.failure(at, "Invalid set of letters: " + set);
        }
    }
}
