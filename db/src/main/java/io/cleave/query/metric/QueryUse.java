package io.cleave.query.metric;

/// The costs of one run of a query. `workMicros` is the time from the arrival of the request until
/// its rows were made and its writes collected, without the commit.
public record QueryUse(
        long durationMicros,
        long workMicros,
        long readRows,
        long readBytes,
        long updatedRows,
        long updatedBytes,
        long erasedRows,
        long erasedBytes) {}
