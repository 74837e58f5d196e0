package io.cleave.function;

import io.cleave.function.call.FunctionCall;
import io.cleave.function.call.Registry;
import io.cleave.typed.Typed;
import io.cleave.value.Type;
import io.cleave.value.Type.Primitive;
import io.cleave.value.Value;
import io.cleave.value.ValueParser;

/// Constructors such as `Date("2020-01-01")`: a literal of any type, checked when the query is
/// compiled.
final class Constructors {
    private Constructors() {}

    static void register(Registry registry) {
        for (Primitive type : Primitive.values()) {
            registry.add(type.text(), call -> literal(call, type));
        }
        registry.add("Bytes", call -> literal(call, Primitive.STRING));
        registry.add("Text", call -> literal(call, Primitive.UTF8));
        registry.add("Decimal", Constructors::decimal);
    }

    private static Typed literal(FunctionCall call, Primitive type) {
        call.expect(1);
        if (type == Primitive.STRING
                && call.value(0) instanceof Typed.Constant(_, Value.Binary b)) {
            return new Typed.Constant(type, b);
        }
        return parse(call, type);
    }

    private static Typed decimal(FunctionCall call) {
        call.expect(3);
        Type type;
        try {
            type = new Type.Decimal(call.number(1), call.number(2));
        } catch (IllegalArgumentException e) {
            throw call.error(String.valueOf(e.getMessage()));
        }
        return parse(call, type);
    }

    private static Typed parse(FunctionCall call, Type type) {
        String text = call.text(0);
        Value value =
                ValueParser.parse(type, text)
                        .orElseThrow(
                                () ->
                                        call.error(
                                                "Invalid value \"%s\" for type %s"
                                                        .formatted(text, name(type))));
        return new Typed.Constant(type, value);
    }

    private static String name(Type type) {
        return type instanceof Type.Decimal ? "Decimal" : type.text();
    }
}
