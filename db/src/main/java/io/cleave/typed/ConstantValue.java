package io.cleave.typed;

import io.cleave.value.Value;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// Evaluates constant expressions: those that read no rows and no parameters and call only pure
/// functions. It supports literals, functions, conversions, tuples and structs, CASE and COALESCE.
/// For any other expression, such as a lambda call, the result is empty even if the expression is
/// constant.
public final class ConstantValue {
    private ConstantValue() {}

    public static Optional<Value> of(Typed expression) {
        return switch (expression) {
            case Typed.Constant constant -> Optional.of(constant.value());
            case Typed.Apply apply -> apply(apply);
            case Typed.Convert convert ->
                    of(convert.operand()).map(v -> v.isNull() ? v : convert.conversion().apply(v));
            case Typed.Coalesce coalesce -> coalesce(coalesce.arguments());
            case Typed.Choose choose -> choose(choose);
            case Typed.ItemsOf items -> all(items.items()).map(Value::items);
            case Typed.ItemOf item ->
                    of(item.operand())
                            .filter(Value.Items.class::isInstance)
                            .map(whole -> ((Value.Items) whole).items().get(item.index()));
            default -> Optional.empty();
        };
    }

    private static Optional<Value> apply(Typed.Apply apply) {
        if (!apply.function().isPure()) {
            return Optional.empty();
        }
        return all(apply.arguments())
                .map(
                        values ->
                                apply.function()
                                        .apply(values.toArray(Value[]::new), new FoldingRun()));
    }

    private static Optional<List<Value>> all(List<Typed> expressions) {
        List<Value> values = new ArrayList<>();
        for (Typed expression : expressions) {
            Optional<Value> value = of(expression);
            if (value.isEmpty()) {
                return Optional.empty();
            }
            values.add(value.get());
        }
        return Optional.of(values);
    }

    private static Optional<Value> coalesce(List<Typed> arguments) {
        for (Typed argument : arguments) {
            Optional<Value> value = of(argument);
            if (value.isEmpty() || !value.get().isNull()) {
                return value;
            }
        }
        return Optional.of(Value.Null.NULL);
    }

    private static Optional<Value> choose(Typed.Choose choose) {
        for (Typed.Branch branch : choose.branches()) {
            Optional<Value> condition = of(branch.condition());
            if (condition.isEmpty()) {
                return Optional.empty();
            }
            if (condition.get().equals(Value.bool(true))) {
                return of(branch.result());
            }
        }
        return of(choose.otherwise());
    }
}
