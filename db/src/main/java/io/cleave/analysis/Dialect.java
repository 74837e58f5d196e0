package io.cleave.analysis;

/// Where one text can be read in several ways: the two query services of YDB differ in the first
/// two, and pragmas choose.
///
/// `ansiIn`: a NULL among the items of IN makes a miss NULL, as in SQL; otherwise it is skipped.
/// `ansiCurrentRow`: the frame of a window that has ORDER BY and says nothing of frames ends with
/// the last row equal to the current one; otherwise with the current row. `positionalUnion`: UNION
/// and its like put columns together by their places and not by names. `classicDivision`: an
/// integer divided by an integer is an integer, and not a Double. `simpleColumns`: columns of a
/// join have their own names where they differ; otherwise each has that of its source before it.
public record Dialect(
        boolean ansiIn,
        boolean ansiCurrentRow,
        boolean positionalUnion,
        boolean classicDivision,
        boolean simpleColumns) {
    public static final Dialect QUERY_SERVICE = new Dialect(true, true, false, true, true);
    public static final Dialect TABLE_SERVICE = new Dialect(false, false, false, true, true);

    Dialect withAnsiIn(boolean changed) {
        return new Dialect(
                changed, ansiCurrentRow, positionalUnion, classicDivision, simpleColumns);
    }

    Dialect withAnsiCurrentRow(boolean changed) {
        return new Dialect(ansiIn, changed, positionalUnion, classicDivision, simpleColumns);
    }

    Dialect withPositionalUnion(boolean changed) {
        return new Dialect(ansiIn, ansiCurrentRow, changed, classicDivision, simpleColumns);
    }

    Dialect withClassicDivision(boolean changed) {
        return new Dialect(ansiIn, ansiCurrentRow, positionalUnion, changed, simpleColumns);
    }

    Dialect withSimpleColumns(boolean changed) {
        return new Dialect(ansiIn, ansiCurrentRow, positionalUnion, classicDivision, changed);
    }
}
