package io.cleave.yt.format;

import io.cleave.base.ByteWriter;

/// The bytes that separate records, fields and names in DSV, and how they are escaped in names and
/// values.
record DsvSymbols(byte record, byte field, byte keyValue, byte escaping, boolean escapes) {
    static DsvSymbols of(FormatAttributes attributes) {
        return new DsvSymbols(
                attributes.symbol("record_separator", '\n'),
                attributes.symbol("field_separator", '\t'),
                attributes.symbol("key_value_separator", '='),
                attributes.symbol("escaping_symbol", '\\'),
                attributes.flag("enable_escaping", true));
    }

    /// Appends a name or a value. In a name (`isKey`), a separator between name and value is
    /// escaped, too, because it would end the name.
    void write(byte[] data, boolean isKey, ByteWriter target) {
        for (byte c : data) {
            boolean special =
                    c == record
                            || c == field
                            || c == escaping
                            || c == '\r'
                            || c == 0
                            || (isKey && c == keyValue);
            if (!escapes || !special) {
                target.putByte(c);
                continue;
            }
            target.putByte(escaping);
            switch (c) {
                case '\n' -> target.putByte('n');
                case '\t' -> target.putByte('t');
                case '\r' -> target.putByte('r');
                case 0 -> target.putByte('0');
                default -> target.putByte(c);
            }
        }
    }

    /// The byte that an escaped byte stands for.
    static byte unescaped(byte c) {
        return switch (c) {
            case 'n' -> '\n';
            case 't' -> '\t';
            case 'r' -> '\r';
            case '0' -> 0;
            default -> c;
        };
    }
}
