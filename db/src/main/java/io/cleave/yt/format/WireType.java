package io.cleave.yt.format;

/// The types that a field of a row has on the wire, in the order in which YTsaurus compares values
/// of different types.
public enum WireType {
    NULL,
    INT64,
    UINT64,
    DOUBLE,
    BOOLEAN,
    STRING,
    ANY
}
