package io.cleave.schema;

import io.cleave.value.Value;

/// What a column gets in a new row that says nothing of it.
public sealed interface Preset {
    /// Never NULL: a column without a preset gets that.
    record Literal(Value value) implements Preset {}

    /// What the expression comes to, over other columns of the row's key; nobody may give the
    /// column another value.
    record Generated(String expression) implements Preset {}

    /// The next number of the column's own sequence.
    record FromSequence(Sequence sequence) implements Preset {}
}
