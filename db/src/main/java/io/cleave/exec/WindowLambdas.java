package io.cleave.exec;

import io.cleave.exec.eval.Evaluation;
import io.cleave.exec.eval.RunContext;
import io.cleave.typed.LambdaFunction;
import io.cleave.typed.WindowCall;
import io.cleave.typed.WindowFunction;

import java.util.ArrayList;
import java.util.List;

/// The lambdas that window functions call. They are compiled once and bound to each run.
final class WindowLambdas {
    private final List<WindowFunction> functions;
    private final List<Evaluation[]> bodies;

    WindowLambdas(List<WindowCall> calls) {
        functions = calls.stream().map(WindowCall::function).toList();
        bodies = functions.stream().map(function -> Operators.compile(function.lambdas())).toList();
    }

    /// The functions of the calls, in the order of the calls.
    List<WindowFunction> bound(RunContext run) {
        List<WindowFunction> bound = new ArrayList<>();
        for (int index = 0; index < functions.size(); index++) {
            List<LambdaFunction.Callback> callbacks = new ArrayList<>();
            for (Evaluation body : bodies.get(index)) {
                callbacks.add(
                        values -> {
                            run.checkpoint().pass();
                            return body.eval(values, run);
                        });
            }
            bound.add(functions.get(index).bound(callbacks));
        }
        return bound;
    }
}
