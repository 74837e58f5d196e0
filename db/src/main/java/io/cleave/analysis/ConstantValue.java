package io.cleave.analysis;

import io.cleave.value.Value;

import java.util.List;
import java.util.Optional;

/// What an expression comes to that reads neither rows nor parameters, and asks neither the clock
/// nor chance. Made of literals, functions, conversions, CASE and COALESCE; of others nothing is
/// said.
final class ConstantValue {
    private ConstantValue() {}

    static Optional<Value> of(Typed expression) {
        return switch (expression) {
            case Typed.Constant constant -> Optional.of(constant.value());
            case Typed.Apply apply -> apply(apply);
            case Typed.Convert convert ->
                    of(convert.operand()).map(v -> v.isNull() ? v : convert.conversion().apply(v));
            case Typed.Coalesce coalesce -> coalesce(coalesce.arguments());
            case Typed.Choose choose -> choose(choose);
            default -> Optional.empty();
        };
    }

    private static Optional<Value> apply(Typed.Apply apply) {
        if (!apply.function().isPure()) {
            return Optional.empty();
        }
        var arguments = new Value[apply.arguments().size()];
        for (int index = 0; index < arguments.length; index++) {
            Optional<Value> argument = of(apply.arguments().get(index));
            if (argument.isEmpty()) {
                return Optional.empty();
            }
            arguments[index] = argument.get();
        }
        return Optional.of(apply.function().apply(arguments, new NoRun()));
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
