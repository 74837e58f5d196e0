package io.cleave.analysis;

import io.cleave.value.Value;

/// A function resolved for its arguments of which some are lambdas, such as ListMap.
public interface LambdaFunction {
    /// A lambda with the values around it bound.
    @FunctionalInterface
    interface Callback {
        Value call(Value... arguments);
    }

    String name();

    /// `arguments` are those that are values, `lambdas` the others, both in the order of the call.
    Value apply(Value[] arguments, Callback[] lambdas);

    @FunctionalInterface
    interface Body {
        Value apply(Value[] arguments, Callback[] lambdas);
    }

    /// A function that is NULL when one of its values is.
    static LambdaFunction strict(String name, Body body) {
        return new Simple(
                name,
                (arguments, lambdas) -> {
                    for (Value argument : arguments) {
                        if (argument.isNull()) {
                            return Value.Null.NULL;
                        }
                    }
                    return body.apply(arguments, lambdas);
                });
    }

    record Simple(String name, Body body) implements LambdaFunction {
        @Override
        public Value apply(Value[] arguments, Callback[] lambdas) {
            return body.apply(arguments, lambdas);
        }

        @Override
        public String toString() {
            return name;
        }
    }
}
