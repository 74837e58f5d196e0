package io.cleave.balance.yt.formula;

/// A step of computing a formula. It takes numbers from a stack and puts its result there.
sealed interface FormulaStep {
    record Constant(long value) implements FormulaStep {}

    record Hours() implements FormulaStep {}

    record Minutes() implements FormulaStep {}

    record Not() implements FormulaStep {}

    /// An operator of two numbers.
    record Apply(FormulaOperator operator) implements FormulaStep {}

    /// Whether the number below `items` others is one of them.
    record Among(int items) implements FormulaStep {}
}
