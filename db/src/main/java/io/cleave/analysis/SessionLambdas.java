package io.cleave.analysis;

import io.cleave.base.Check;
import io.cleave.function.aggregate.RunningFunction;
import io.cleave.typed.Errors;
import io.cleave.typed.LambdaFunction;
import io.cleave.typed.Relation;
import io.cleave.typed.Typed;
import io.cleave.typed.WindowCall;
import io.cleave.typed.WindowFrame;
import io.cleave.typed.WindowFunction;
import io.cleave.value.Type;
import io.cleave.value.Type.Primitive;
import io.cleave.value.Value;
import io.cleave.yql.Expression;

import org.jspecify.annotations.Nullable;

import java.util.List;
import java.util.Optional;
import java.util.function.IntFunction;
import java.util.function.Supplier;

/// `SessionWindow(order, init, update, calculate)`. `init(row)` gives the state after the first row
/// of a partition. `update(row, state)` gives, for every other row, whether it starts a new session
/// and the state after it. The key of a session is `calculate(row, state)` for its first row.
///
/// @param lambdas the bodies of `init`, `update` and `calculate`, in that order, as functions of a
///   row and a state
record SessionLambdas(List<Typed> lambdas) implements WindowFunction {
    private static final int INIT = 0;
    private static final int UPDATE = 1;
    private static final int CALCULATE = 2;

    static WindowCall call(Expression.Call call, RowScope scope) {
        // The lambdas can read the row only through their arguments.
        var outside =
                new RowScope(
                        scope.context,
                        scope.bindings,
                        new RowSource(new Relation.Single(), List.of()));
        ExpressionAnalyzer analyzer = scope.context.expressions();
        // In a join the member names contain the source.
        Typed row = scope.joinRow(call.at());
        var given = new Typed.Input(row.type(), 0);
        Typed init = analyzer.inlined(lambda(call, 1), outside, List.of(given));
        var state = new Typed.Input(init.type(), 1);
        Expression written = lambda(call, 2);
        Typed update = analyzer.inlined(written, outside, List.of(given, state));
        if (!isStep(update.type(), init.type())) {
            throw Errors.type(
                    written.at(),
                    "Expected Tuple<Bool,%s> from update lambda of SessionWindow, but got: %s"
                            .formatted(init.type().text(), update.type().text()));
        }
        Typed key = analyzer.inlined(lambda(call, 3), outside, List.of(given, state));
        return new WindowCall(
                call.name(),
                new SessionLambdas(List.of(init, update, key)),
                SessionWindows.type(key.type(), init.type()),
                List.of(row),
                WindowFrame.WHOLE);
    }

    private static Expression lambda(Expression.Call call, int index) {
        return call.arguments().get(index).value();
    }

    /// A tuple of a Bool and the state. A NULL Bool starts no session.
    private static boolean isStep(Type type, Type state) {
        return type instanceof Type.Tuple(List<Type> items)
                && items.size() == 2
                && items.getFirst().unwrapped() == Primitive.BOOL
                && items.getLast().equals(state);
    }

    @Override
    public WindowFunction bound(List<LambdaFunction.Callback> callbacks) {
        return new RunningFunction(() -> new Session(callbacks));
    }

    /// Without bound lambdas there is nothing to call.
    @Override
    public IntFunction<Value> over(Partition partition) {
        return bound(List.of()).over(partition);
    }

    @Override
    public Optional<Supplier<Running>> running(WindowFrame frame) {
        return bound(List.of()).running(frame);
    }

    private static final class Session implements Running {
        private final List<LambdaFunction.Callback> lambdas;

        /// Null before the first row.
        private @Nullable Value state;

        private Value key = Value.Null.NULL;
        private long number;

        Session(List<LambdaFunction.Callback> lambdas) {
            Check.that(lambdas.size() == 3, "the lambdas of SessionWindow are not bound");
            this.lambdas = lambdas;
        }

        @Override
        public Value next(Value[] arguments, boolean peer) {
            Value row = arguments[0];
            Value before = state;
            boolean begins = before == null;
            Value after;
            if (before == null) {
                after = lambdas.get(INIT).call(row);
            } else {
                List<Value> step = ((Value.Items) lambdas.get(UPDATE).call(row, before)).items();
                begins = step.getFirst().equals(Value.Bool.TRUE);
                after = step.getLast();
            }
            if (begins) {
                number++;
                key = lambdas.get(CALCULATE).call(row, after);
            }
            state = after;
            return SessionWindows.value(number, key, after);
        }
    }
}
