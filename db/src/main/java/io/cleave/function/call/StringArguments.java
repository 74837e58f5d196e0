package io.cleave.function.call;

import io.cleave.base.Bytes;
import io.cleave.typed.Typed;
import io.cleave.value.Type.Primitive;
import io.cleave.value.Value;

import java.util.List;

/// Arguments of the type String, with rules for NULL.
public final class StringArguments {
    private StringArguments() {}

    /// A String argument that cannot be NULL.
    public static Typed required(FunctionCall call, int index) {
        Typed value = call.as(index, Primitive.STRING);
        if (value.type().isOptional()) {
            throw call.error(
                    "Expected String as argument %d of %s, but got: %s"
                            .formatted(index + 1, call.name(), call.type(index).text()));
        }
        return value;
    }

    /// A String argument; NULL is replaced by `otherwise`.
    public static Typed orElse(FunctionCall call, int index, String otherwise) {
        Typed value = call.as(index, Primitive.STRING);
        return value.type().isOptional()
                ? new Typed.Coalesce(Primitive.STRING, List.of(value, constant(otherwise)))
                : value;
    }

    public static Typed constant(String text) {
        return new Typed.Constant(Primitive.STRING, Value.binary(Bytes.utf8(text)));
    }
}
