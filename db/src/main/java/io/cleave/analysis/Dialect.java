package io.cleave.analysis;

/// Where the two query services of YDB read one text differently.
///
/// `ansiIn`: a NULL among the items of IN makes a miss NULL, as in SQL; otherwise it is skipped.
/// `ansiCurrentRow`: the frame of a window that has ORDER BY and says nothing of frames ends with
/// the last row equal to the current one; otherwise with the current row. `positionalUnion`: UNION
/// and its like put columns together by their places and not by names.
public record Dialect(boolean ansiIn, boolean ansiCurrentRow, boolean positionalUnion) {
    public static final Dialect QUERY_SERVICE = new Dialect(true, true, false);
    public static final Dialect TABLE_SERVICE = new Dialect(false, false, false);

    Dialect withAnsiIn(boolean changed) {
        return new Dialect(changed, ansiCurrentRow, positionalUnion);
    }

    Dialect withAnsiCurrentRow(boolean changed) {
        return new Dialect(ansiIn, changed, positionalUnion);
    }

    Dialect withPositionalUnion(boolean changed) {
        return new Dialect(ansiIn, ansiCurrentRow, changed);
    }
}
