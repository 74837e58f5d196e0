package io.cleave.yt.format;

import io.cleave.base.Bytes;
import io.cleave.value.YsonNode;
import io.cleave.value.YsonWriter;
import io.cleave.yt.error.YtCodes;
import io.cleave.yt.error.YtException;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.Locale;
import java.util.Optional;

/// How a client writes values and rows, and how it wants to read them. Input that is not
/// well-formed causes a `YtException`.
///
/// Threads: any.
public sealed interface DataFormat permits YsonFormat, JsonFormat, DsvFormat, SchemafulDsvFormat {
    /// The format `yson` without attributes.
    DataFormat YSON_BINARY = new YsonFormat(YsonWriter.Format.BINARY);

    /// How most clients ask for it.
    YsonNode BINARY_SPEC =
            YsonNode.text("yson").withAttributes(YsonNode.map().with("format", "binary").build());

    DataFormat YSON_TEXT = new YsonFormat(YsonWriter.Format.TEXT);

    DataFormat YSON_PRETTY = new YsonFormat(YsonWriter.Format.PRETTY);

    DataFormat JSON = JsonFormat.USUAL;

    /// The approximate limit of the memory of a tree.
    long MAX_TREE_BYTES = 64L << 20;

    /// The format that a client names by a string with attributes, such as `<format=text>yson`.
    static DataFormat parse(YsonNode spec) {
        if (spec.equals(BINARY_SPEC)) {
            return YSON_BINARY;
        }
        String name =
                spec.string()
                        .orElseThrow(
                                () ->
                                        new YtException(
                                                YtCodes.GENERIC,
                                                "Error parsing format: expected a string, got "
                                                        + FormatAttributes.shown(spec)));
        var attributes = new FormatAttributes(spec.attributes());
        return switch (name) {
            case "yson" -> YsonFormat.of(attributes);
            case "json" -> JsonFormat.of(attributes);
            case "dsv" -> DsvFormat.of(attributes);
            case "schemaful_dsv" -> SchemafulDsvFormat.of(attributes);
            default ->
                    throw new YtException(
                            YtCodes.GENERIC,
                            "Format %s is not supported; use yson, json, dsv or schemaful_dsv"
                                    .formatted(FormatAttributes.shown(spec.bare())));
        };
    }

    /// The format in a header: the text of a [#parse] specification.
    static DataFormat parse(String header) {
        if (header.equals("<format=text>yson")) {
            // Most clients send this value with every request.
            return YSON_TEXT;
        }
        return parse(YSON_TEXT.readValue(Bytes.utf8(header)));
    }

    /// The format of a media type, without its parameters; empty if the type names no format.
    static Optional<DataFormat> ofMediaType(String mediaType) {
        return switch (mediaType.strip().toLowerCase(Locale.ROOT)) {
            case "application/x-yt-yson-binary" -> Optional.of(YSON_BINARY);
            case "application/x-yt-yson-text" -> Optional.of(YSON_TEXT);
            case "application/x-yt-yson-pretty" -> Optional.of(YSON_PRETTY);
            case "application/json" -> Optional.of(JSON);
            case "text/tab-separated-values" -> Optional.of(DsvFormat.USUAL);
            default -> Optional.empty();
        };
    }

    /// The media type of bodies in this format.
    String contentType();

    /// The value in a body. The body must contain exactly one value.
    YsonNode readValue(Bytes body);

    /// The value in a body. The body must contain exactly one value. The value takes its memory
    /// from `memory`.
    YsonNode readValue(Bytes body, CallMemory memory);

    Bytes writeValue(YsonNode value);

    /// Writes the value to the sink, in blocks. Writing to the sink may wait.
    void writeValue(YsonNode value, OutputStream sink) throws IOException;

    /// Reads the rows of a body. More of the body is read when a row needs it. A small body has
    /// about `expectedBytes` bytes. The part of the body that is kept takes its memory from
    /// `memory`.
    RowInput rows(InputStream body, long expectedBytes, CallMemory memory);

    /// Reads the rows of a body that is in memory. The caller must not write to the array. The part
    /// of the body that is kept takes its memory from `memory`.
    RowInput rows(byte[] body, CallMemory memory);

    /// Writes rows to the sink in blocks, each with whole rows. Writing to the sink may wait.
    EncodedRowOutput rowOutput(OutputStream sink);
}
