package io.cleave.base;

/// The direction of a scan through the keys.
public enum Direction {
    FORWARD,
    BACKWARD
}
