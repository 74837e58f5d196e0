package io.cleave.function.yt;

import io.cleave.typed.ScalarFunction;
import io.cleave.typed.Typed;
import io.cleave.value.Type;

import java.util.List;
import java.util.function.Consumer;

/// A scalar function: its types, and a maker that returns the node of a call.
record YtFunction(String name, Signature signature, Maker maker) {
    /// Collects the functions of a class.
    interface Registry extends Consumer<YtFunction> {}

    @FunctionalInterface
    interface Maker {
        /// Makes the node of a call. The arguments have the types of the signature.
        Typed make(List<Typed> arguments, YtType result);
    }

    /// A function that is NULL if an argument is NULL. Its body may fail the query.
    static YtFunction strict(String name, Signature signature, ScalarFunction.Body body) {
        ScalarFunction function = new ScalarFunction.Refusing(ScalarFunction.strict(name, body));
        return new YtFunction(
                name,
                signature,
                (arguments, result) -> {
                    boolean optional = arguments.stream().anyMatch(YtComparison::mayBeNull);
                    Type type = optional ? result.type().optional() : result.type();
                    return new Typed.Apply(type, function, arguments);
                });
    }

    /// A function whose body is also called for NULL, and whose result may be NULL.
    static YtFunction nullable(String name, Signature signature, ScalarFunction.Body body) {
        ScalarFunction function = ScalarFunction.refusing(name, body);
        return new YtFunction(
                name,
                signature,
                (arguments, result) ->
                        new Typed.Apply(result.type().optional(), function, arguments));
    }

    /// A function whose body is also called for NULL, and whose result is never NULL.
    static YtFunction total(String name, Signature signature, ScalarFunction.Body body) {
        ScalarFunction function = ScalarFunction.refusing(name, body);
        return new YtFunction(
                name,
                signature,
                (arguments, result) -> new Typed.Apply(result.type(), function, arguments));
    }
}
