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

    /// The kind of the same join with its sides turned round.
    public JoinKind turned() {
        return switch (this) {
            case INNER, FULL, CROSS, EXCLUSION -> this;
            case LEFT -> RIGHT;
            case RIGHT -> LEFT;
            case LEFT_SEMI -> RIGHT_SEMI;
            case RIGHT_SEMI -> LEFT_SEMI;
            case LEFT_ONLY -> RIGHT_ONLY;
            case RIGHT_ONLY -> LEFT_ONLY;
        };
    }

    /// The words of the language: `LEFT SEMI`.
    public String words() {
        return name().replace('_', ' ');
    }
}
