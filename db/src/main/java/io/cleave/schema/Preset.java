package io.cleave.schema;

import io.cleave.value.Value;

/// The value of a column in a new row that does not set it.
public sealed interface Preset {
    /// A constant. Never NULL, because a column without a preset gets NULL.
    record Literal(Value value) implements Preset {}

    /// The value of an expression over other columns of the row's key. Users cannot set the column.
    record Generated(String expression, Language language) implements Preset {
        /// An expression in YQL.
        public Generated(String expression) {
            this(expression, Language.YQL);
        }
    }

    /// The language of an expression.
    enum Language {
        YQL,
        /// YTsaurus' query language: integer literals, divisions and comparisons with NULL differ.
        YT
    }

    /// The next number of the column's own sequence.
    record FromSequence(Sequence sequence) implements Preset {}
}
