package io.cleave.yt.format;

/// The attributes that tell YTsaurus' servers to convert values of rows from one type to another.
/// Integers are always converted to the type of the column. Other conversions are not supported.
final class RowConversions {
    private RowConversions() {}

    /// Refuses the attributes that ask for conversions of types that the format has.
    static void refuse(String format, FormatAttributes attributes) {
        refuseOfStrings(format, attributes);
        attributes.require(format, "complex_type_mode", "named");
        attributes.require(format, "decimal_mode", "binary");
        attributes.require(format, "time_mode", "binary");
        attributes.require(format, "uuid_mode", "binary");
    }

    /// Refuses the attributes that ask for conversions from and to strings.
    static void refuseOfStrings(String format, FormatAttributes attributes) {
        attributes.refuse(
                format,
                "enable_type_conversion",
                "enable_string_to_all_conversion",
                "enable_all_to_string_conversion",
                "enable_integral_to_double_conversion");
    }
}
