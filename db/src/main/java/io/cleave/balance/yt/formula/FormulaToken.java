package io.cleave.balance.yt.formula;

/// A token of a formula, with its position in the text.
sealed interface FormulaToken {
    int at();

    /// A number, or `%true` or `%false`.
    record Literal(int at, long value) implements FormulaToken {}

    /// A variable.
    record Name(int at, String name) implements FormulaToken {}

    record Sign(int at, FormulaOperator operator) implements FormulaToken {}

    record Open(int at) implements FormulaToken {}

    record Close(int at) implements FormulaToken {}
}
