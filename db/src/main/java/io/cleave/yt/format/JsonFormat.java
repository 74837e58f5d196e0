package io.cleave.yt.format;

import io.cleave.base.Bytes;
import io.cleave.value.YsonNode;
import io.cleave.yt.error.YtCodes;
import io.cleave.yt.error.YtException;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;

/// JSON with YTsaurus' conventions. A value with attributes is `{"$attributes":{…},"$value":…}`. A
/// name that begins with `$` gets one more `$`. Each row is one JSON object and a newline.
///
/// @param pretty whether values have one line for each item
/// @param encodeUtf8 whether each byte of a string is one character, U+0000 to U+00FF. Otherwise
///   strings are UTF-8.
/// @param plain whether names with `$` have no meaning when a value is read
/// @param stringify whether numbers and booleans are written as strings
/// @param annotateWithTypes whether scalars are written as `{"$type":"int64","$value":5}`
/// @param infinity how numbers that JSON does not have are written
/// @param skipsNulls whether fields of rows that are null are left out
record JsonFormat(
        boolean pretty,
        boolean encodeUtf8,
        boolean plain,
        boolean stringify,
        boolean annotateWithTypes,
        Attributes attributes,
        Infinity infinity,
        boolean skipsNulls)
        implements DataFormat {
    enum Attributes {
        ON_DEMAND,
        ALWAYS,
        NEVER
    }

    enum Infinity {
        REFUSED,
        UNQUOTED,
        QUOTED
    }

    static final JsonFormat USUAL =
            new JsonFormat(
                    false,
                    true,
                    false,
                    false,
                    false,
                    Attributes.ON_DEMAND,
                    Infinity.REFUSED,
                    false);

    static JsonFormat of(FormatAttributes attributes) {
        boolean unquoted = attributes.flag("support_infinity", false);
        boolean quoted = attributes.flag("stringify_nan_and_infinity", false);
        if (unquoted && quoted) {
            throw new YtException(
                    YtCodes.GENERIC,
                    "\"support_infinity\" and \"stringify_nan_and_infinity\" cannot be specified"
                            + " simultaneously");
        }
        attributes.refuse("json", "string_length_limit");
        return new JsonFormat(
                attributes.choice("format", "text", "text", "pretty").equals("pretty"),
                attributes.flag("encode_utf8", true),
                attributes.flag("plain", false),
                attributes.flag("stringify", false),
                attributes.flag("annotate_with_types", false),
                switch (attributes.choice(
                        "attributes_mode", "on_demand", "on_demand", "always", "never")) {
                    case "always" -> Attributes.ALWAYS;
                    case "never" -> Attributes.NEVER;
                    default -> Attributes.ON_DEMAND;
                },
                unquoted ? Infinity.UNQUOTED : quoted ? Infinity.QUOTED : Infinity.REFUSED,
                attributes.flag("skip_null_values", false));
    }

    @Override
    public String contentType() {
        return "application/json";
    }

    @Override
    public YsonNode readValue(Bytes body) {
        return readValue(body, CallMemory.unlimited());
    }

    @Override
    public YsonNode readValue(Bytes body, CallMemory memory) {
        try {
            return YtJsonReader.read(this, body, memory);
        } catch (BrokenInputException e) {
            throw e.toYt();
        }
    }

    @Override
    public Bytes writeValue(YsonNode value) {
        return YtJsonWriter.write(this, value);
    }

    @Override
    public void writeValue(YsonNode value, OutputStream sink) throws IOException {
        YtJsonWriter.write(this, value, sink);
    }

    @Override
    public RowInput rows(InputStream body, long expectedBytes, CallMemory memory) {
        return new JsonRowInput(this, RowWindow.expecting(body, expectedBytes, memory));
    }

    @Override
    public RowInput rows(byte[] body, CallMemory memory) {
        return new JsonRowInput(this, new RowWindow(body, memory));
    }

    @Override
    public EncodedRowOutput rowOutput(OutputStream sink) {
        if (pretty) {
            throw new YtException(
                    YtCodes.GENERIC, "Pretty JSON format is not supported for list fragments");
        }
        return new JsonRowOutput(this, sink);
    }
}
