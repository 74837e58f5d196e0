package io.cleave.analysis;

import java.util.Set;

/// Where one text can be read in several ways: the two query services of YDB differ in the first
/// two options, and pragmas choose.
///
/// `options` has a bit for each [Option] that is on. `yson`: how functions of the module `Yson`
/// that say nothing of it take types.
public record Dialect(int options, YsonTypes yson) {
    /// What is on or off.
    enum Option {
        /// A NULL among the items of IN makes a miss NULL, as in SQL; otherwise it is skipped.
        ANSI_IN(1 << 0),
        /// The frame of a window that has ORDER BY and says nothing of frames ends with the last
        /// row equal to the current one; otherwise with the current row.
        ANSI_CURRENT_ROW(1 << 1),
        /// UNION and its like put columns together by their places and not by names.
        POSITIONAL_UNION(1 << 2),
        /// An integer divided by an integer is an integer, and not a Double.
        CLASSIC_DIVISION(1 << 3),
        /// Columns of a join have their own names where they differ; otherwise each has that of its
        /// source before it.
        SIMPLE_COLUMNS(1 << 4),
        /// What `*` stands for comes in the order it was defined in, and not by name.
        ORDERED_COLUMNS(1 << 5),
        /// JSON_QUERY gives a JsonDocument, and not a Json.
        JSON_DOCUMENTS(1 << 6),
        /// Both sides of a join's equality have the same type.
        STRICT_JOIN_KEYS(1 << 7),
        /// Sums, differences and products of integers that do not fit are NULL; otherwise they
        /// wrap.
        CHECKED_OPS(1 << 8),
        /// The keys of a join are one column in `a.*`, too, as they are in `*`.
        MERGED_KEYS(1 << 9);

        private final int bit;

        Option(int bit) {
            this.bit = bit;
        }
    }

    public static final Dialect TABLE_SERVICE =
            new Dialect(0, YsonTypes.DEFAULT)
                    .with(
                            Set.of(
                                    Option.CLASSIC_DIVISION,
                                    Option.SIMPLE_COLUMNS,
                                    Option.JSON_DOCUMENTS));
    public static final Dialect QUERY_SERVICE =
            TABLE_SERVICE.with(Set.of(Option.ANSI_IN, Option.ANSI_CURRENT_ROW));

    /// What becomes of a node that is of another type than wanted: with `autoConvert` it is
    /// converted if it can be; else it ends the query, or without `strict` is NULL.
    public record YsonTypes(boolean autoConvert, boolean strict) {
        static final YsonTypes DEFAULT = new YsonTypes(false, true);
    }

    boolean has(Option option) {
        return (options & option.bit) != 0;
    }

    Dialect with(Option option, boolean on) {
        return new Dialect(on ? options | option.bit : options & ~option.bit, yson);
    }

    private Dialect with(Set<Option> changed) {
        Dialect result = this;
        for (Option option : changed) {
            result = result.with(option, true);
        }
        return result;
    }

    Dialect withYson(YsonTypes changed) {
        return new Dialect(options, changed);
    }
}
