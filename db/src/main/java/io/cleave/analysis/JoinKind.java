package io.cleave.analysis;

/// Which rows a join yields: pairs, pairs and the rows of a side without one, or rows of one side
/// that have a pair (SEMI) or have none (ONLY).
public enum JoinKind {
    INNER,
    LEFT,
    RIGHT,
    FULL,
    CROSS,
    LEFT_SEMI,
    RIGHT_SEMI,
    LEFT_ONLY,
    RIGHT_ONLY,
    EXCLUSION;

    /// The words of the language: `LEFT SEMI`.
    public String words() {
        return name().replace('_', ' ');
    }
}
