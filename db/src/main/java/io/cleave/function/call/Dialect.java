package io.cleave.function.call;

import java.util.Set;

/// Options that change the meaning of a query text. The two query services of YDB differ in the
/// first two options; pragmas change them.
///
/// `options` has a bit for each [Option] that is on. `yson` is how functions of the module `Yson`
/// handle type mismatches by default.
public record Dialect(int options, YsonTypes yson) {
    /// An option that is on or off.
    public enum Option {
        /// If IN finds no match and an item is NULL, the result is NULL, as in standard SQL. If
        /// off, NULL items are ignored.
        ANSI_IN(1 << 0),
        /// The default frame of a window with ORDER BY ends with the last peer of the current row.
        /// If off, it ends with the current row.
        ANSI_CURRENT_ROW(1 << 1),
        /// UNION, INTERSECT and EXCEPT match columns by position. If off, they match by name.
        POSITIONAL_UNION(1 << 2),
        /// The quotient of two integers is an integer. If off, it is a Double.
        CLASSIC_DIVISION(1 << 3),
        /// Columns of a join keep their names if these are unique. If off, every column is prefixed
        /// with the name of its source.
        SIMPLE_COLUMNS(1 << 4),
        /// The columns of `*` are in definition order. If off, they are sorted by name.
        ORDERED_COLUMNS(1 << 5),
        /// JSON_QUERY returns a JsonDocument. If off, it returns a Json.
        JSON_DOCUMENTS(1 << 6),
        /// Both sides of a join equality must have the same type.
        STRICT_JOIN_KEYS(1 << 7),
        /// Sums, differences and products of integers are NULL on overflow. If off, they wrap
        /// around.
        CHECKED_OPS(1 << 8),
        /// The keys of a join are one column in `a.*` too, as they are in `*`.
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

    /// How a node of an unexpected type is handled. With `autoConvert` it is converted if possible.
    /// Otherwise, or if that fails, the query fails if `strict`, and the result is NULL if not.
    public record YsonTypes(boolean autoConvert, boolean strict) {
        public static final YsonTypes DEFAULT = new YsonTypes(false, true);
    }

    public boolean has(Option option) {
        return (options & option.bit) != 0;
    }

    public Dialect with(Option option, boolean on) {
        return new Dialect(on ? options | option.bit : options & ~option.bit, yson);
    }

    private Dialect with(Set<Option> changed) {
        Dialect result = this;
        for (Option option : changed) {
            result = result.with(option, true);
        }
        return result;
    }

    public Dialect withYson(YsonTypes changed) {
        return new Dialect(options, changed);
    }
}
