package io.cleave.query;

import io.cleave.plan.Program;

/// How much a query may answer. A result set past `rowsPerSet` is cut and says so; more than
/// `totalBytes` ends the query.
public record ResultLimits(long rowsPerSet, long totalBytes) {
    public static final ResultLimits NONE = new ResultLimits(Long.MAX_VALUE, Long.MAX_VALUE);

    /// The same for a program, whose text may ask for fewer rows: `PRAGMA ResultRowsLimit`.
    ResultLimits of(Program program) {
        long asked = program.resultRowsLimit();
        return asked == 0 || asked >= rowsPerSet ? this : new ResultLimits(asked, totalBytes);
    }

    /// What YDB's ExecuteDataQuery gives in one reply.
    public static final ResultLimits DATA_QUERY = new ResultLimits(1000, 50L << 20);
}
