package io.cleave.yt.command;

/// What a command takes as its input, or gives as its output.
public enum DataType {
    NULL,
    STRUCTURED,
    TABULAR,
    BINARY
}
