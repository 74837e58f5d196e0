package io.cleave.query;

import io.cleave.base.Issue;
import io.cleave.base.Status;
import io.cleave.base.StatusException;
import io.cleave.exec.ResultSink;
import io.cleave.plan.Program.ResultShape;
import io.cleave.value.Value;

/// Enforces the limits of a query's answer, and checks regularly whether the query should go on.
final class LimitedResults implements ResultSink {
    private static final int ROWS_A_CHECK = 32;

    private final Results results;
    private final ResultLimits limits;
    private final Cancellation cancellation;
    private final int mostRows;
    private long rowsInSet;
    private long totalBytes;

    /// Throws [ShortRuns.TooLong] if a result has more than `mostRows` rows, or if the answer takes
    /// more bytes than a short run may return.
    LimitedResults(Results results, ResultLimits limits, Cancellation cancellation, int mostRows) {
        this.mostRows = mostRows;
        this.results = results;
        this.limits = limits;
        this.cancellation = cancellation;
    }

    @Override
    public void begin(int resultIndex, ResultShape shape) {
        rowsInSet = 0;
        results.begin(resultIndex, shape);
    }

    @Override
    public void row(int resultIndex, Value[] row) {
        rowsInSet++;
        // Reading the clock costs as much as a row.
        if (rowsInSet % ROWS_A_CHECK == 0) {
            cancellation.check();
        }
        boolean isShort = mostRows != Integer.MAX_VALUE;
        if (isShort && rowsInSet > mostRows) {
            throw new ShortRuns.TooLong();
        }
        if (rowsInSet > limits.rowsPerSet()) {
            return;
        }
        if (isShort || limits.totalBytes() != Long.MAX_VALUE) {
            totalBytes += ValueSize.of(row);
            if (isShort && totalBytes > ShortRuns.MOST_BYTES) {
                throw new ShortRuns.TooLong();
            }
            if (totalBytes > limits.totalBytes()) {
                throw tooLarge(totalBytes, limits);
            }
        }
        results.row(resultIndex, row);
    }

    static StatusException tooLarge(long totalBytes, ResultLimits limits) {
        return new StatusException(
                Status.PRECONDITION_FAILED,
                Issue.error(
                        "Query result size limit exceeded. (%d > %d)"
                                .formatted(totalBytes, limits.totalBytes())));
    }

    @Override
    public void end(int resultIndex) {
        results.end(resultIndex, rowsInSet > limits.rowsPerSet());
    }
}
