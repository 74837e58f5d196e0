package io.cleave.query;

/// What one run of a query took. `workMicros` is the time from the request until its rows were made
/// and its writes collected; the commit comes after it.
record QueryUse(
        long durationMicros,
        long workMicros,
        long readRows,
        long readBytes,
        long updatedRows,
        long updatedBytes,
        long erasedRows,
        long erasedBytes) {}
