package io.cleave.balance.yt.formula;

/// What a formula comes to at a minute.
public sealed interface FormulaResult {
    record Value(long number) implements FormulaResult {
        public boolean isTrue() {
            return number != 0;
        }
    }

    /// The formula has no value at this minute.
    record Failure(String why) implements FormulaResult {}
}
