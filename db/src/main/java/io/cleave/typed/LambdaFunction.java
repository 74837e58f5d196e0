package io.cleave.typed;

import io.cleave.value.Value;

/// A resolved function that takes at least one lambda, such as ListMap.
public interface LambdaFunction {
    /// A lambda with its captured values bound.
    @FunctionalInterface
    interface Callback {
        Value call(Value... arguments);
    }

    String name();

    /// `arguments` are the arguments that are values and `lambdas` the arguments that are lambdas,
    /// both in the order of the call. A lambda call reports its own work. Other long work is
    /// reported with `run.pass`; the function uses nothing else of the run.
    Value apply(Value[] arguments, Callback[] lambdas, ScalarFunction.Run run);

    @FunctionalInterface
    interface Body {
        Value apply(Value[] arguments, Callback[] lambdas);
    }

    @FunctionalInterface
    interface RunBody {
        Value apply(Value[] arguments, Callback[] lambdas, ScalarFunction.Run run);
    }

    /// A function whose body is also called for NULL arguments.
    static LambdaFunction of(String name, Body body) {
        return new Simple(name, (arguments, lambdas, _) -> body.apply(arguments, lambdas));
    }

    /// A function that returns NULL if one of its value arguments is NULL.
    static LambdaFunction strict(String name, RunBody body) {
        return new Simple(
                name,
                (arguments, lambdas, run) -> {
                    for (Value argument : arguments) {
                        if (argument.isNull()) {
                            return Value.Null.NULL;
                        }
                    }
                    return body.apply(arguments, lambdas, run);
                });
    }

    record Simple(String name, RunBody body) implements LambdaFunction {
        @Override
        public Value apply(Value[] arguments, Callback[] lambdas, ScalarFunction.Run run) {
            return body.apply(arguments, lambdas, run);
        }

        @Override
        public String toString() {
            return name;
        }
    }
}
