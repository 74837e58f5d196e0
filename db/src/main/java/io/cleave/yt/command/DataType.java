package io.cleave.yt.command;

/// The kind of input that a command takes, or of output that it gives.
public enum DataType {
    NULL,
    STRUCTURED,
    TABULAR,
    BINARY
}
