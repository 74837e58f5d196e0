package io.cleave.yt.table.row;

import io.cleave.base.Bytes;
import io.cleave.yt.command.CommandCall;
import io.cleave.yt.format.RowOutput;

import org.jspecify.annotations.Nullable;

import java.util.List;

/// The rows of the answer to a lookup. The answer begins with its first row, so a failure before it
/// has an answer of its own.
///
/// Threads: one.
final class LookupAnswer {
    private final CommandCall call;
    private final List<Bytes> columns;
    private final boolean keepsMissing;

    /// Null until the first row.
    private @Nullable RowOutput begun;

    /// With `keepsMissing`, the answer shows which keys have no row.
    LookupAnswer(CommandCall call, List<Bytes> columns, boolean keepsMissing) {
        this.call = call;
        this.columns = columns;
        this.keepsMissing = keepsMissing;
    }

    /// Where the next row is written.
    RowOutput rows() {
        RowOutput rows = begun;
        if (rows == null) {
            rows = call.outputRows();
            rows.columns(columns);
            begun = rows;
        }
        return rows;
    }

    /// A key without a row.
    void missing() {
        RowOutput rows = rows();
        if (keepsMissing) {
            rows.missingRow();
        }
    }

    /// Called after the last key.
    void end() {
        var _ = rows();
    }
}
