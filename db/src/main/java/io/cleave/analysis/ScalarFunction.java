package io.cleave.analysis;

import io.cleave.value.Value;

import java.util.function.Supplier;

/// A function resolved for the types of its arguments. Pure but for what it takes from the run.
public interface ScalarFunction {
    String name();

    Value apply(Value[] arguments, Run run);

    /// Whether it gives the same for the same arguments whatever the run, so that it may be worked
    /// out once.
    default boolean isPure() {
        return true;
    }

    /// Whether it gives the same for the same arguments throughout one run, as the current time
    /// does.
    default boolean isFixedInRun() {
        return true;
    }

    /// Whether it is there to end a query, as Unwrap of NULL does: it is worked out for no row that
    /// does not come to it as the query is written.
    default boolean mayRefuse() {
        return false;
    }

    /// What a query's run gives to functions: the time is fixed when the run begins.
    interface Run {
        long nowMicros();

        /// Who runs the query, or empty if nobody has said.
        String user();

        double randomDouble();

        long randomLong();

        /// To be called by what takes long, before so many small steps: it throws when the run
        /// should end.
        void pass(int steps);

        /// To be called before so many items of a list are made: it throws when there is no memory
        /// for them.
        default void keep(long items) {}

        /// What a call keeps from one row to the next: the same for the same `owner` throughout the
        /// run, or on one of its threads.
        <T> T remember(Object owner, Class<T> kind, Supplier<T> maker);
    }

    /// The work of a function that sees no NULL.
    @FunctionalInterface
    interface Body {
        Value apply(Value[] arguments);
    }

    @FunctionalInterface
    interface RunBody {
        Value apply(Value[] arguments, Run run);
    }

    /// A function that gets its NULLs too.
    static ScalarFunction of(String name, Body body) {
        return new Simple(name, true, true, (arguments, _) -> body.apply(arguments));
    }

    /// The same for one that may take long, and [Run#pass]es. It asks nothing else of the run.
    static ScalarFunction ofLong(String name, RunBody body) {
        return new Simple(name, true, true, body);
    }

    /// A function that is NULL when an argument is.
    static ScalarFunction strict(String name, Body body) {
        return strictLong(name, (arguments, _) -> body.apply(arguments));
    }

    /// The same for one that may take long, and [Run#pass]es. It asks nothing else of the run.
    static ScalarFunction strictLong(String name, RunBody body) {
        return new Simple(
                name,
                true,
                true,
                (arguments, run) -> {
                    for (Value argument : arguments) {
                        if (argument.isNull()) {
                            return Value.Null.NULL;
                        }
                    }
                    return ValueSizes.checked(body.apply(arguments, run));
                });
    }

    /// A function of the run: the same throughout it.
    static ScalarFunction ofRun(String name, RunBody body) {
        return new Simple(name, false, true, body);
    }

    /// A function of chance, worked out anew each time.
    static ScalarFunction random(String name, RunBody body) {
        return new Simple(name, false, false, body);
    }

    /// A function that gets its NULLs too, and may refuse to go on.
    static ScalarFunction refusing(String name, Body body) {
        return new Refusing(of(name, body));
    }

    /// The same with what it asks of the run.
    static ScalarFunction refusing(String name, RunBody body) {
        return new Refusing(ofLong(name, body));
    }

    /// Another, that [#mayRefuse].
    record Refusing(ScalarFunction function) implements ScalarFunction {
        @Override
        public String name() {
            return function.name();
        }

        @Override
        public Value apply(Value[] arguments, Run run) {
            return function.apply(arguments, run);
        }

        @Override
        public boolean mayRefuse() {
            return true;
        }

        @Override
        public String toString() {
            return name();
        }
    }

    /// A function made of a lambda.
    record Simple(String name, boolean isPure, boolean isFixedInRun, RunBody body)
            implements ScalarFunction {
        @Override
        public Value apply(Value[] arguments, Run run) {
            return body.apply(arguments, run);
        }

        @Override
        public String toString() {
            return name;
        }
    }
}
