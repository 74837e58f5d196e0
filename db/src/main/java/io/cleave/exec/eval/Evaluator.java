package io.cleave.exec.eval;

import io.cleave.base.StatusException;
import io.cleave.exec.eval.Code.Fixed;
import io.cleave.exec.eval.Code.Frame;
import io.cleave.exec.eval.Code.Once;
import io.cleave.exec.spill.Checkpoint;
import io.cleave.exec.spill.QueryMemory;
import io.cleave.typed.LambdaFunction;
import io.cleave.typed.ScalarFunction;
import io.cleave.typed.Typed;
import io.cleave.value.Type;
import io.cleave.value.Value;

import org.jspecify.annotations.Nullable;

import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;

/// Compiles typed expressions to closures. Constant subexpressions are evaluated once at compile
/// time. A constant that takes long to compute, or is large, is evaluated once in each run instead,
/// where it can be cancelled.
///
/// AND, OR, CASE and COALESCE evaluate no more than they need, from left to right.
public final class Evaluator {
    private static final Value[] NO_ROW = {};

    /// Larger computed values are not kept with the code, which may stay in memory for long.
    /// Literals are kept at any size, because the query text is as large as they are.
    private static final int MAX_FIXED_BYTES = 16 << 10;

    /// Whether any part of the expression creates lists or dicts.
    private boolean makesLists;

    private Evaluator() {}

    /// Ends an evaluation that takes too long for compile time.
    private static final class TooLong extends RuntimeException {
        private static final long serialVersionUID = 1;

        TooLong() {
            super("left to the run", null, false, false);
        }
    }

    public static Evaluation compile(Typed expression) {
        var evaluator = new Evaluator();
        Code code = evaluator.code(expression);
        if (!evaluator.makesLists) {
            return (row, run) -> code.eval(row, run, null);
        }
        return (row, run) -> {
            long before = run.keptItems();
            try {
                return code.eval(row, run, null);
            } finally {
                run.forgetItems(before);
            }
        };
    }

    private Code code(Typed node) {
        return switch (node) {
            case Typed.Constant constant -> new Fixed(constant.value());
            case Typed.Input(_, int index) -> (row, _, _) -> row[index];
            case Typed.Parameter(_, String name) -> (_, run, _) -> run.parameter(name);
            case Typed.LambdaArgument(_, int level, int index) ->
                    (_, _, frame) -> Frame.argument(frame, level, index);
            case Typed.SubQueryResult(_, int slot) -> (_, run, _) -> run.subQuery(slot);
            case Typed.Apply apply -> apply(apply);
            case Typed.ApplyLambdas apply -> applyLambdas(apply);
            case Typed.Convert convert -> convert(convert);
            case Typed.Compare compare -> {
                Code left = code(compare.left());
                Code right = code(compare.right());
                yield folded(CompareCode.of(compare, left, right), left, right);
            }
            case Typed.And and -> shortcut(codes(and.terms()), false);
            case Typed.Or or -> shortcut(codes(or.terms()), true);
            case Typed.Not not -> not(code(not.operand()));
            case Typed.IsNull isNull -> {
                Code operand = code(isNull.operand());
                yield folded(
                        (row, run, frame) -> Value.bool(operand.eval(row, run, frame).isNull()),
                        operand);
            }
            case Typed.In in -> {
                Code operand = code(in.operand());
                Code collection = code(in.collection());
                yield folded(InCode.of(in, operand, collection), operand, collection);
            }
            case Typed.Coalesce coalesce -> coalesce(codes(coalesce.arguments()));
            case Typed.Choose choose -> choose(choose);
            case Typed.ItemOf item -> item(code(item.operand()), item.index());
            case Typed.ItemsOf items -> items(codes(items.items()));
        };
    }

    /// Not a stream, which would add ten stack frames for each level of a deep expression.
    private Code[] codes(List<Typed> nodes) {
        var codes = new Code[nodes.size()];
        for (int index = 0; index < codes.length; index++) {
            codes[index] = code(nodes.get(index));
        }
        return codes;
    }

    private Code apply(Typed.Apply apply) {
        Code[] arguments = codes(apply.arguments());
        ScalarFunction function = apply.function();
        boolean ofLists = isOfLists(apply);
        makesLists |= ofLists;
        Code code =
                ofLists
                        ? (row, run, frame) -> {
                            Value[] values = evalAll(arguments, row, run, frame);
                            for (Value value : values) {
                                run.passItems(value);
                            }
                            Value result = run.passItems(function.apply(values, run));
                            run.keepItems(result);
                            return result;
                        }
                        : (row, run, frame) ->
                                function.apply(evalAll(arguments, row, run, frame), run);
        return function.isPure() ? folded(code, arguments) : code;
    }

    /// Whether arguments or result are lists or dicts, so that one call may take as long as many
    /// other calls.
    private static boolean isOfLists(Typed.Apply apply) {
        return isList(apply.type())
                || apply.arguments().stream().anyMatch(argument -> isList(argument.type()));
    }

    private static boolean isList(Type type) {
        return type.unwrapped() instanceof Type.ListOf || type.unwrapped() instanceof Type.Dict;
    }

    private Code applyLambdas(Typed.ApplyLambdas apply) {
        makesLists = true;
        Code[] arguments = codes(apply.arguments());
        int[] levels = apply.lambdas().stream().mapToInt(Typed.Lambda::level).toArray();
        Code[] bodies = apply.lambdas().stream().map(l -> code(l.body())).toArray(Code[]::new);
        boolean[] collected = new boolean[bodies.length];
        for (int index = 0; index < bodies.length; index++) {
            // The result of the lambda for each item stays in the list. A lambda that returns a
            // list has counted it itself.
            collected[index] = isList(apply.type()) && !isList(apply.lambdas().get(index).type());
        }
        return (row, run, frame) -> {
            var callbacks = new LambdaFunction.Callback[bodies.length];
            for (int index = 0; index < bodies.length; index++) {
                Code body = bodies[index];
                int level = levels[index];
                boolean collects = collected[index];
                callbacks[index] =
                        values -> {
                            run.checkpoint().pass();
                            Value made = body.eval(row, run, new Frame(level, values, frame));
                            if (collects) {
                                run.keepTexts(made);
                            }
                            return made;
                        };
            }
            Value[] values = evalAll(arguments, row, run, frame);
            Value result = apply.function().apply(values, callbacks, run);
            run.keepItems(result);
            return result;
        };
    }

    private static Value[] evalAll(
            Code[] codes, Value[] row, RunContext run, @Nullable Frame frame) {
        Value[] values = new Value[codes.length];
        for (int index = 0; index < codes.length; index++) {
            values[index] = codes[index].eval(row, run, frame);
        }
        return values;
    }

    private Code convert(Typed.Convert convert) {
        Code operand = code(convert.operand());
        return folded(
                (row, run, frame) -> {
                    Value value = operand.eval(row, run, frame);
                    return value.isNull() ? value : convert.conversion().apply(value);
                },
                operand);
    }

    /// AND stops at the first false, OR at the first true (`decisive`). If no term is decisive, a
    /// NULL among the terms makes the result NULL.
    private Code shortcut(Code[] terms, boolean decisive) {
        return folded(
                (row, run, frame) -> {
                    Value result = Value.bool(!decisive);
                    for (Code term : terms) {
                        Value value = term.eval(row, run, frame);
                        if (value.isNull()) {
                            result = value;
                        } else if (((Value.Bool) value).value() == decisive) {
                            return value;
                        }
                    }
                    return result;
                },
                terms);
    }

    private Code not(Code operand) {
        return folded(
                (row, run, frame) -> {
                    Value value = operand.eval(row, run, frame);
                    return value instanceof Value.Bool(boolean bool) ? Value.bool(!bool) : value;
                },
                operand);
    }

    private Code coalesce(Code[] arguments) {
        return folded(
                (row, run, frame) -> {
                    Value value = Value.Null.NULL;
                    for (Code argument : arguments) {
                        value = argument.eval(row, run, frame);
                        if (!value.isNull()) {
                            return value;
                        }
                    }
                    return value;
                },
                arguments);
    }

    private Code choose(Typed.Choose choose) {
        Code[] conditions =
                choose.branches().stream().map(b -> code(b.condition())).toArray(Code[]::new);
        Code[] results = choose.branches().stream().map(b -> code(b.result())).toArray(Code[]::new);
        Code otherwise = code(choose.otherwise());
        return (row, run, frame) -> {
            for (int index = 0; index < conditions.length; index++) {
                Value met = conditions[index].eval(row, run, frame);
                if (met instanceof Value.Bool(boolean bool) && bool) {
                    return results[index].eval(row, run, frame);
                }
            }
            return otherwise.eval(row, run, frame);
        };
    }

    private Code item(Code operand, int index) {
        return folded(
                (row, run, frame) ->
                        operand.eval(row, run, frame) instanceof Value.Items(List<Value> items)
                                ? items.get(index)
                                : Value.Null.NULL,
                operand);
    }

    private Code items(Code[] items) {
        Code code =
                (row, run, frame) -> Value.items(Arrays.asList(evalAll(items, row, run, frame)));
        return Arrays.stream(items).allMatch(item -> item instanceof Fixed)
                ? new Fixed(code.eval(NO_ROW, briefRun(), null))
                : folded(code, items);
    }

    /// The code, or its value if all parts are known. An evaluation that fails is left to fail in
    /// the run, because it may be in a branch that is never taken.
    private Code folded(Code code, Code... parts) {
        boolean fixed = true;
        for (Code part : parts) {
            if (!(part instanceof Fixed) && !(part instanceof Once)) {
                return code;
            }
            fixed &= part instanceof Fixed;
        }
        if (!fixed) {
            return new Once(code);
        }
        try {
            Value value = code.eval(NO_ROW, briefRun(), null);
            boolean small = QueryMemory.bytes(value) <= MAX_FIXED_BYTES;
            return small ? new Fixed(value) : new Once(code);
        } catch (StatusException _) {
            return code;
        } catch (TooLong _) {
            return new Once(code);
        }
    }

    /// A context for evaluation at compile time. Pure functions need nothing from it, and its
    /// checkpoint ends those that take long.
    private static RunContext briefRun() {
        return new RunContext(
                Map.of(),
                () -> 0,
                new SplittableRandom(0),
                "",
                new Checkpoint(
                        () -> {
                            throw new TooLong();
                        }));
    }
}
