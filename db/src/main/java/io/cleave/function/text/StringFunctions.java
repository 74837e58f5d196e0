package io.cleave.function.text;

import io.cleave.base.Bytes;
import io.cleave.base.Issue.Position;
import io.cleave.function.call.Conversions;
import io.cleave.function.call.FunctionCall;
import io.cleave.function.call.Registry;
import io.cleave.function.call.Texts;
import io.cleave.typed.Errors;
import io.cleave.typed.ScalarFunction;
import io.cleave.typed.Typed;
import io.cleave.typed.ValueSizes;
import io.cleave.value.Type;
import io.cleave.value.Type.Primitive;
import io.cleave.value.Value;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/// The built-in functions on strings. They count bytes, even in a Utf8; the module `Unicode` counts
/// characters.
public final class StringFunctions {
    private StringFunctions() {}

    public static void register(Registry registry) {
        registry.add("SUBSTRING", StringFunctions::substring);
        registry.add("FIND", c -> find(c, false));
        registry.add("RFIND", c -> find(c, true));
        registry.add("StartsWith", c -> test(c, StringFunctions::startsWith));
        registry.add("EndsWith", c -> test(c, StringFunctions::endsWith));
        registry.add("ByteAt", StringFunctions::byteAt);
        registry.add("Concat", c -> concatAll(c));
    }

    /// `left || right`: Utf8 if both sides are Utf8, otherwise String.
    public static Typed concat(Position at, Typed left, Typed right) {
        Type l = left.type().unwrapped();
        Type r = right.type().unwrapped();
        if (l == Type.Unit.NULL || r == Type.Unit.NULL) {
            return new Typed.Constant(Type.Unit.NULL, Value.Null.NULL);
        }
        if (!Texts.isString(l) || !Texts.isString(r)) {
            throw Errors.type(
                    at,
                    "Cannot concatenate type %s and %s"
                            .formatted(left.type().text(), right.type().text()));
        }
        Type type = l.equals(r) ? l : Primitive.STRING;
        boolean optional = left.type().isOptional() || right.type().isOptional();
        return new Typed.Apply(
                optional ? type.optional() : type,
                ScalarFunction.strict("||", a -> join(type, a[0], a[1])),
                List.of(left, right));
    }

    private static Typed concatAll(FunctionCall call) {
        call.expect(1, Integer.MAX_VALUE);
        Typed all = call.string(0);
        for (int index = 1; index < call.count(); index++) {
            all = concat(call.at(), all, call.string(index));
        }
        return all;
    }

    private static Value join(Type type, Value left, Value right) {
        if (left instanceof Value.Text(String l) && right instanceof Value.Text(String r)) {
            ValueSizes.requireBytes((long) l.length() + r.length());
            return Texts.value(type, l + r);
        }
        byte[] l = Texts.bytes(left).array();
        byte[] r = Texts.bytes(right).array();
        ValueSizes.requireBytes((long) l.length + r.length);
        byte[] both = Arrays.copyOf(l, l.length + r.length);
        System.arraycopy(r, 0, both, l.length, r.length);
        return Value.binary(Bytes.wrap(both));
    }

    /// The length in bytes.
    public static Typed length(FunctionCall call) {
        call.expect(1);
        return call.strict(
                Primitive.UINT32,
                List.of(call.string(0)),
                a -> Value.of(Texts.bytes(a[0]).length()));
    }

    private static Typed substring(FunctionCall call) {
        call.expect(2, 3);
        Typed text = call.string(0);
        Type type = text.type().unwrapped();
        // A NULL bound means the start or the end of the string.
        Typed from = bound(call, 1);
        Typed length =
                call.count() == 3
                        ? bound(call, 2)
                        : new Typed.Constant(Primitive.UINT32.optional(), Value.Null.NULL);
        return call.apply(
                text.type(),
                List.of(text, from, length),
                a -> a[0].isNull() ? a[0] : Texts.value(type, cut(Texts.bytes(a[0]), a[1], a[2])));
    }

    private static Typed bound(FunctionCall call, int index) {
        Typed value = call.value(index);
        return value.type() == Type.Unit.NULL
                ? new Typed.Constant(Primitive.UINT32.optional(), Value.Null.NULL)
                : Conversions.literal(value, Primitive.UINT32)
                        .orElseGet(() -> call.as(index, Primitive.UINT32));
    }

    private static Bytes cut(Bytes bytes, Value from, Value length) {
        long begin = from instanceof Value.Int(long number) ? number : 0;
        begin = Math.min(begin, bytes.length());
        long end = length instanceof Value.Int(long number) ? begin + number : bytes.length();
        end = Math.min(end, bytes.length());
        return Bytes.copyOf(bytes.array(), (int) begin, (int) end);
    }

    private static Typed find(FunctionCall call, boolean last) {
        call.expect(2, 3);
        var arguments = new ArrayList<Typed>();
        arguments.add(call.string(0));
        arguments.add(call.string(1));
        if (call.count() == 3) {
            arguments.add(bound(call, 2));
        }
        return call.applyLong(
                Primitive.UINT32.optional(),
                arguments,
                (a, run) -> {
                    if (a[0].isNull() || a[1].isNull()) {
                        return Value.Null.NULL;
                    }
                    byte[] text = Texts.bytes(a[0]).array();
                    byte[] part = Texts.bytes(a[1]).array();
                    boolean bounded = a.length == 3 && !a[2].isNull();
                    long from = bounded ? ((Value.Int) a[2]).value() : last ? text.length : 0;
                    int found =
                            last
                                    ? Finding.lastIndex(text, part, from, run)
                                    : Finding.index(text, part, from, run);
                    return found < 0 ? Value.Null.NULL : Value.of(found);
                });
    }

    @FunctionalInterface
    interface Test {
        boolean holds(Bytes text, Bytes part);
    }

    static Typed test(FunctionCall call, Test test) {
        call.expect(2);
        return call.strict(
                Primitive.BOOL,
                List.of(call.string(0), call.string(1)),
                a -> Value.bool(test.holds(Texts.bytes(a[0]), Texts.bytes(a[1]))));
    }

    static boolean startsWith(Bytes text, Bytes part) {
        return text.startsWith(part);
    }

    static boolean endsWith(Bytes text, Bytes part) {
        return text.length() >= part.length()
                && Finding.isAt(text.array(), part.array(), text.length() - part.length());
    }

    private static Typed byteAt(FunctionCall call) {
        call.expect(2);
        return call.apply(
                Primitive.UINT8.optional(),
                List.of(call.string(0), bound(call, 1)),
                a -> {
                    if (a[0].isNull() || a[1].isNull()) {
                        return Value.Null.NULL;
                    }
                    Bytes bytes = Texts.bytes(a[0]);
                    long at = ((Value.Int) a[1]).value();
                    return at < bytes.length()
                            ? Value.of(bytes.at((int) at) & 0xFF)
                            : Value.Null.NULL;
                });
    }
}
