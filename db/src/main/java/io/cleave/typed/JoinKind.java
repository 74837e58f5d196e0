package io.cleave.typed;

/// Which rows a join returns: matching pairs (INNER), pairs plus the unmatched rows of one or both
/// sides (LEFT, RIGHT, FULL), all pairs (CROSS), the rows of one side that have a match (SEMI) or
/// have none (ONLY), or the unmatched rows of both sides (EXCLUSION).
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

    /// The kind of the equivalent join with left and right swapped.
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

    /// The keywords of the language, such as `LEFT SEMI`.
    public String words() {
        return name().replace('_', ' ');
    }
}
