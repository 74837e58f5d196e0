package io.cleave.analysis;

/// Where the two query services of YDB read one text differently.
///
/// `ansiIn`: a NULL among the items of IN makes a miss NULL, as in SQL; otherwise it is skipped.
/// `ansiCurrentRow`: the frame of a window that has ORDER BY and says nothing of frames ends with
/// the last row equal to the current one; otherwise with the current row.
public record Dialect(boolean ansiIn, boolean ansiCurrentRow) {
    public static final Dialect QUERY_SERVICE = new Dialect(true, true);
    public static final Dialect TABLE_SERVICE = new Dialect(false, false);

    Dialect withAnsiIn(boolean changed) {
        return new Dialect(changed, ansiCurrentRow);
    }

    Dialect withAnsiCurrentRow(boolean changed) {
        return new Dialect(ansiIn, changed);
    }
}
