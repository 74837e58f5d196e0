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
/// `orderedColumns`: what `*` stands for comes in the order it was defined in, and not by name.
/// `jsonDocuments`: JSON_QUERY gives a JsonDocument, and not a Json. `strictJoinKeys`: both sides
/// of a join's equality have the same type. `yson`: how functions of the module `Yson` that say
/// nothing of it take types.
public record Dialect(
        boolean ansiIn,
        boolean ansiCurrentRow,
        boolean positionalUnion,
        boolean classicDivision,
        boolean simpleColumns,
        boolean orderedColumns,
        boolean jsonDocuments,
        boolean strictJoinKeys,
        YsonTypes yson) {
    public static final Dialect QUERY_SERVICE =
            new Dialect(true, true, false, true, true, false, true, false, YsonTypes.DEFAULT);
    public static final Dialect TABLE_SERVICE =
            new Dialect(false, false, false, true, true, false, true, false, YsonTypes.DEFAULT);

    /// What becomes of a node that is of another type than wanted: with `autoConvert` it is
    /// converted if it can be; else it ends the query, or without `strict` is NULL.
    public record YsonTypes(boolean autoConvert, boolean strict) {
        static final YsonTypes DEFAULT = new YsonTypes(false, true);
    }

    Dialect withAnsiIn(boolean changed) {
        return new Dialect(
                changed,
                ansiCurrentRow,
                positionalUnion,
                classicDivision,
                simpleColumns,
                orderedColumns,
                jsonDocuments,
                strictJoinKeys,
                yson);
    }

    Dialect withAnsiCurrentRow(boolean changed) {
        return new Dialect(
                ansiIn,
                changed,
                positionalUnion,
                classicDivision,
                simpleColumns,
                orderedColumns,
                jsonDocuments,
                strictJoinKeys,
                yson);
    }

    Dialect withPositionalUnion(boolean changed) {
        return new Dialect(
                ansiIn,
                ansiCurrentRow,
                changed,
                classicDivision,
                simpleColumns,
                orderedColumns,
                jsonDocuments,
                strictJoinKeys,
                yson);
    }

    Dialect withClassicDivision(boolean changed) {
        return new Dialect(
                ansiIn,
                ansiCurrentRow,
                positionalUnion,
                changed,
                simpleColumns,
                orderedColumns,
                jsonDocuments,
                strictJoinKeys,
                yson);
    }

    Dialect withSimpleColumns(boolean changed) {
        return new Dialect(
                ansiIn,
                ansiCurrentRow,
                positionalUnion,
                classicDivision,
                changed,
                orderedColumns,
                jsonDocuments,
                strictJoinKeys,
                yson);
    }

    Dialect withOrderedColumns(boolean changed) {
        return new Dialect(
                ansiIn,
                ansiCurrentRow,
                positionalUnion,
                classicDivision,
                simpleColumns,
                changed,
                jsonDocuments,
                strictJoinKeys,
                yson);
    }

    Dialect withJsonDocuments(boolean changed) {
        return new Dialect(
                ansiIn,
                ansiCurrentRow,
                positionalUnion,
                classicDivision,
                simpleColumns,
                orderedColumns,
                changed,
                strictJoinKeys,
                yson);
    }

    Dialect withStrictJoinKeys(boolean changed) {
        return new Dialect(
                ansiIn,
                ansiCurrentRow,
                positionalUnion,
                classicDivision,
                simpleColumns,
                orderedColumns,
                jsonDocuments,
                changed,
                yson);
    }

    Dialect withYson(YsonTypes changed) {
        return new Dialect(
                ansiIn,
                ansiCurrentRow,
                positionalUnion,
                classicDivision,
                simpleColumns,
                orderedColumns,
                jsonDocuments,
                strictJoinKeys,
                changed);
    }
}
