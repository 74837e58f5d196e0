package io.cleave.yt;

import io.cleave.http.Request;
import io.cleave.yt.command.CommandParameters;
import io.cleave.yt.command.DataType;
import io.cleave.yt.format.DataFormat;

import java.util.Locale;
import java.util.Optional;

/// The input format and the output format of a call. They are named by the parameters
/// `input_format` and `output_format`. Without these, the headers `X-YT-Input-Format` and
/// `X-YT-Output-Format` name them, or else the media types in `Content-Type` and `Accept`.
record CallFormats(DataFormat input, DataFormat output, String contentType) {
    private static final String TEXT = "text/plain; charset=utf-8";

    static CallFormats of(Request request, CommandParameters parameters, DataType outputType) {
        DataFormat input =
                named(request, parameters, "input_format", "X-YT-Input-Format")
                        .or(() -> ofTypes(request.header("Content-Type")))
                        .orElse(DataFormat.YSON_TEXT);
        Optional<DataFormat> output =
                named(request, parameters, "output_format", "X-YT-Output-Format")
                        .or(() -> ofTypes(request.header("Accept")));
        if (output.isPresent()) {
            return new CallFormats(input, output.get(), output.get().contentType());
        }
        // A form that is easy to read for people.
        DataFormat shown =
                outputType == DataType.TABULAR ? DataFormat.YSON_TEXT : DataFormat.YSON_PRETTY;
        return new CallFormats(input, shown, TEXT);
    }

    private static Optional<DataFormat> named(
            Request request, CommandParameters parameters, String parameter, String header) {
        return parameters
                .find(parameter)
                .map(DataFormat::parse)
                .or(() -> request.header(header).map(DataFormat::parse));
    }

    /// The format of the first media type that is known.
    private static Optional<DataFormat> ofTypes(Optional<String> list) {
        if (list.isEmpty()) {
            return Optional.empty();
        }
        for (String type : list.get().split(",")) {
            String bare = type.split(";", 2)[0].strip().toLowerCase(Locale.ROOT);
            Optional<DataFormat> known = DataFormat.ofMediaType(bare);
            if (known.isPresent()) {
                return known;
            }
        }
        return Optional.empty();
    }
}
