package io.cleave.index;

/// The progress of a build. The names are those of YDB.
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
