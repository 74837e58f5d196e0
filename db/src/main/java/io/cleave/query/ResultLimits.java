package io.cleave.query;

import io.cleave.plan.Program;

/// The limits of a query's answer. A result set is truncated after `rowsPerSet` rows and marked as
/// truncated. A query whose answer exceeds `totalBytes` fails.
public record ResultLimits(long rowsPerSet, long totalBytes) {
    public static final ResultLimits NONE = new ResultLimits(Long.MAX_VALUE, Long.MAX_VALUE);

    /// The limits for a program, whose text may ask for fewer rows with `PRAGMA ResultRowsLimit`.
    ResultLimits of(Program program) {
        long asked = program.resultRowsLimit();
        return asked == 0 || asked >= rowsPerSet ? this : new ResultLimits(asked, totalBytes);
    }

    /// The limits of one reply of YDB's ExecuteDataQuery.
    public static final ResultLimits DATA_QUERY = new ResultLimits(1000, 50L << 20);
}
