package io.cleave.base;

/// Which way a scan goes through the keys.
public enum Direction {
    FORWARD,
    BACKWARD
}
