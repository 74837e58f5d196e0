package io.cleave.lsm;

/// The order in which a scan returns keys.
public enum Direction {
    FORWARD,
    BACKWARD
}
