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
        long erasedBytes) {
    /// In the order of [QueryFigures].
    long figure(int index) {
        return switch (index) {
            case 0 -> durationMicros;
            case 1 -> workMicros;
            case 2 -> readRows;
            case 3 -> readBytes;
            case 4 -> updatedRows;
            case 5 -> updatedBytes;
            case 6 -> erasedRows;
            default -> throw new IllegalArgumentException("figure " + index);
        };
    }
}
