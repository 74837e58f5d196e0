package io.cleave.typed;

import io.cleave.value.Value;

import java.util.function.Supplier;

/// A scalar function, resolved for the types of its arguments. It has no side effects and no state
/// other than what the run keeps for it.
public interface ScalarFunction {
    String name();

    Value apply(Value[] arguments, Run run);

    /// Whether the result depends only on the arguments, so that it may be computed once, before
    /// the query runs.
    default boolean isPure() {
        return true;
    }

    /// Whether equal arguments give equal results within one run, as for the current time.
    default boolean isFixedInRun() {
        return true;
    }

    /// Whether the function may fail the query on purpose, as Unwrap does for NULL. It must not be
    /// evaluated for rows that would not reach it in the query as written.
    default boolean mayRefuse() {
        return false;
    }

    /// The services of a query run that functions use. The time is fixed when the run starts.
    interface Run {
        long nowMicros();

        /// The user who runs the query; empty if unknown.
        String user();

        double randomDouble();

        long randomLong();

        /// Long-running functions must call this before the given number of small steps. Throws if
        /// the run should end.
        void pass(int steps);

        /// Functions must call this before they create the given number of list items. Throws if
        /// there is not enough memory.
        default void keep(long items) {}

        /// State that a call keeps from one row to the next. The same `owner` gets the same object
        /// throughout the run, or throughout one thread of a parallel run.
        <T> T remember(Object owner, Class<T> kind, Supplier<T> maker);
    }

    /// The body of a function that does not use the run.
    @FunctionalInterface
    interface Body {
        Value apply(Value[] arguments);
    }

    @FunctionalInterface
    interface RunBody {
        Value apply(Value[] arguments, Run run);
    }

    /// A function whose body is also called for NULL arguments.
    static ScalarFunction of(String name, Body body) {
        return new Simple(name, true, true, (arguments, _) -> body.apply(arguments));
    }

    /// A function like `of` that may take long and therefore calls [Run#pass]. It uses nothing else
    /// of the run.
    static ScalarFunction ofLong(String name, RunBody body) {
        return new Simple(name, true, true, body);
    }

    /// A function that returns NULL if an argument is NULL.
    static ScalarFunction strict(String name, Body body) {
        return strictLong(name, (arguments, _) -> body.apply(arguments));
    }

    /// A function like `strict` that may take long and therefore calls [Run#pass]. It uses nothing
    /// else of the run.
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

    /// A function of the run, such as the current time. Its result is fixed throughout the run.
    static ScalarFunction ofRun(String name, RunBody body) {
        return new Simple(name, false, true, body);
    }

    /// A random function, evaluated anew for each call.
    static ScalarFunction random(String name, RunBody body) {
        return new Simple(name, false, false, body);
    }

    /// A function that `mayRefuse`. Its body is also called for NULL arguments.
    static ScalarFunction refusing(String name, Body body) {
        return new Refusing(of(name, body));
    }

    /// A function that `mayRefuse` and uses the run. Its body is also called for NULL arguments.
    static ScalarFunction refusing(String name, RunBody body) {
        return new Refusing(ofLong(name, body));
    }

    /// Wraps a function so that it [#mayRefuse].
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

    /// A function implemented by a Java lambda.
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
