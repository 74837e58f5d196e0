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
    /// Each call of a lambda passes by itself; what else takes long passes by way of the run, and
    /// asks nothing else of it.
    Value apply(Value[] arguments, Callback[] lambdas, ScalarFunction.Run run);

    @FunctionalInterface
    interface Body {
        Value apply(Value[] arguments, Callback[] lambdas);
    }

    @FunctionalInterface
    interface RunBody {
        Value apply(Value[] arguments, Callback[] lambdas, ScalarFunction.Run run);
    }

    /// A function that gets its NULLs too.
    static LambdaFunction of(String name, Body body) {
        return new Simple(name, (arguments, lambdas, _) -> body.apply(arguments, lambdas));
    }

    /// A function that is NULL when one of its values is.
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
