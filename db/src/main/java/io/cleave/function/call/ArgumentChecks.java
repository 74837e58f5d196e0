package io.cleave.function.call;

import io.cleave.base.Issue.Position;
import io.cleave.typed.Errors;
import io.cleave.value.Ints;
import io.cleave.value.Type;

import java.util.List;

/// Checks of the arguments of scalar, aggregate and window functions. Each throws an error that
/// names the function.
public final class ArgumentChecks {
    private ArgumentChecks() {}

    /// Refuses a number of arguments outside of the range. `noun` is the word for arguments in
    /// YDB's message, which depends on the kind of function.
    public static void count(
            Position at, String function, String noun, int given, int min, int max) {
        if (given < min || given > max) {
            String wanted = min == max ? "" + min : "from " + min + " to " + max;
            throw Errors.type(
                    at, "%s requires %s %s, given: %d".formatted(function, wanted, noun, given));
        }
    }

    /// Refuses an argument that is there and is not an integer.
    public static void integer(Position at, String function, List<Type> types, int index) {
        if (index < types.size() && !Ints.isInteger(types.get(index).unwrapped())) {
            throw Errors.type(
                    at,
                    "Expected integer as argument %d of %s, but got: %s"
                            .formatted(index + 1, function, types.get(index).text()));
        }
    }
}
