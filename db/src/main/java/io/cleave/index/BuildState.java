package io.cleave.index;

/// How far a build is; the words are YDB's.
public enum BuildState {
    PREPARING,
    TRANSFERING_DATA,
    APPLYING,
    DONE,
    CANCELLATION,
    CANCELLED,
    REJECTION,
    REJECTED;

    public boolean isOver() {
        return this == DONE || this == CANCELLED || this == REJECTED;
    }
}
