package io.cleave.balance.yt.formula;

import io.cleave.balance.yt.formula.FormulaStep.Among;
import io.cleave.balance.yt.formula.FormulaStep.Apply;
import io.cleave.balance.yt.formula.FormulaStep.Constant;
import io.cleave.balance.yt.formula.FormulaStep.Hours;
import io.cleave.balance.yt.formula.FormulaStep.Minutes;
import io.cleave.balance.yt.formula.FormulaStep.Not;
import io.cleave.yt.error.YtCodes;
import io.cleave.yt.error.YtException;

import java.util.List;

/// A formula of a schedule. It keeps its text as it was given.
///
/// Threads: any; a formula never changes.
public final class Formula {
    /// The greatest length of a text, in characters. It also limits the depth of brackets.
    static final int MAX_LENGTH = 10_000;

    public static final Formula EMPTY = parse("");

    private final String text;
    private final List<FormulaStep> steps;

    private Formula(String text, List<FormulaStep> steps) {
        this.text = text;
        this.steps = List.copyOf(steps);
    }

    /// The formula in a text. A text without tokens is the empty formula. Throws a [YtException]
    /// that shows the place of an error.
    public static Formula parse(String text) {
        if (text.length() > MAX_LENGTH) {
            throw new YtException(
                    YtCodes.GENERIC,
                    "Formula has %d characters, and the limit is %d; write a shorter one"
                            .formatted(text.length(), MAX_LENGTH));
        }
        return new Formula(text, new FormulaCompiler(text).compile());
    }

    public String text() {
        return text;
    }

    public boolean isEmpty() {
        return steps.isEmpty();
    }

    /// The value at a minute of a day.
    public FormulaResult evaluate(int hours, int minutes) {
        if (isEmpty()) {
            return new FormulaResult.Failure("Empty arithmetic formula cannot be evaluated");
        }
        long[] stack = new long[steps.size()];
        int size = 0;
        for (FormulaStep step : steps) {
            switch (step) {
                case Constant(long value) -> stack[size++] = value;
                case Hours() -> stack[size++] = hours;
                case Minutes() -> stack[size++] = minutes;
                case Not() -> stack[size - 1] = FormulaOperator.truth(stack[size - 1] == 0);
                case Among(int items) -> {
                    size -= items;
                    stack[size - 1] = FormulaOperator.truth(contains(stack, size, items));
                }
                case Apply(FormulaOperator operator) -> {
                    size--;
                    long left = stack[size - 1];
                    long right = stack[size];
                    if (operator.divides() && right == 0) {
                        return failure("Division by zero");
                    }
                    if (operator.divides() && left == Long.MIN_VALUE && right == -1) {
                        return failure("Division of INT64_MIN by -1");
                    }
                    stack[size - 1] = operator.apply(left, right);
                }
            }
        }
        return new FormulaResult.Value(stack[0]);
    }

    /// Whether the items that begin at `from` include the number before them.
    private static boolean contains(long[] stack, int from, int items) {
        for (int index = from; index < from + items; index++) {
            if (stack[index] == stack[from - 1]) {
                return true;
            }
        }
        return false;
    }

    private FormulaResult failure(String problem) {
        return new FormulaResult.Failure(
                "%s in formula %s".formatted(problem, FormulaErrors.quoted(text)));
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Formula formula && text.equals(formula.text);
    }

    @Override
    public int hashCode() {
        return text.hashCode();
    }

    @Override
    public String toString() {
        return text;
    }
}
