package io.cleave.yt;

import io.cleave.base.Bytes;
import io.cleave.http.Request;
import io.cleave.value.YsonNode;
import io.cleave.yt.command.CommandParameters;
import io.cleave.yt.error.YtCodes;
import io.cleave.yt.error.YtError;
import io.cleave.yt.error.YtException;
import io.cleave.yt.format.DataFormat;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.SequencedMap;
import java.util.function.Function;
import java.util.regex.Pattern;

/// Collects the parameters of a call from three places: the query string, the header
/// `X-YT-Parameters`, and the body of a POST. A parameter from a later place replaces one from an
/// earlier place.
///
/// A long header is split into `X-YT-Parameters0`, `X-YT-Parameters1` and so on. The parts together
/// are base64. Their order in the request does not matter.
final class CallParameters {
    private static final String HEADER = "x-yt-parameters";
    private static final Pattern PART = Pattern.compile(HEADER + "-?[0-9]+");
    private static final int MAX_PARTS = 100;

    private CallParameters() {}

    /// If `body` is present, it contains parameters.
    static CommandParameters of(Request request, Optional<CallInput> body) {
        var found = new ArrayList<YsonNode.Members>(1);
        request.rawQuery().ifPresent(text -> found.add(QueryString.parse(text)));
        header(request).ifPresent(text -> found.add(parse(headerFormat(request)::readValue, text)));
        body.filter(input -> !input.isEmpty())
                .ifPresent(input -> found.add(parse(input::value, bodyFormat(request))));
        return new CommandParameters(found.size() == 1 ? found.getFirst() : merged(found));
    }

    private static YsonNode.Members merged(List<YsonNode.Members> all) {
        SequencedMap<Bytes, YsonNode> merged = new LinkedHashMap<>();
        all.forEach(each -> merged.putAll(each.members()));
        return new YsonNode.Members(merged);
    }

    private static <T> YsonNode.Members parse(Function<T, YsonNode> reading, T source) {
        YsonNode value;
        try {
            value = reading.apply(source);
        } catch (YtException e) {
            if (e.error().code() != YtCodes.GENERIC) {
                throw e;
            }
            throw YtError.of(YtCodes.GENERIC, "Error parsing parameters")
                    .with(e.error())
                    .exception();
        }
        if (value.bare() instanceof YsonNode.Members members) {
            return members;
        }
        throw new YtException(
                YtCodes.GENERIC,
                "Error parsing parameters: expected \"map\", got \"%s\""
                        .formatted(CommandParameters.typeName(value)));
    }

    private static Optional<Bytes> header(Request request) {
        Optional<String> whole = request.header(HEADER);
        if (whole.isPresent()) {
            return whole.map(CallParameters::latin1);
        }
        var parts = new StringBuilder();
        int count = 0;
        for (int number = 0; number < MAX_PARTS; number++) {
            int part = number;
            Optional<String> found =
                    request.header(HEADER + part).or(() -> request.header(HEADER + "-" + part));
            if (found.isEmpty()) {
                break;
            }
            parts.append(found.get().strip());
            count++;
        }
        if (count < partCount(request)) {
            throw new YtException(
                    YtCodes.GENERIC,
                    "The parts of X-YT-Parameters must be numbered from 0 without a gap, and there may be up to %d of them"
                            .formatted(MAX_PARTS));
        }
        return parts.isEmpty() ? Optional.empty() : Optional.of(base64(parts.toString()));
    }

    private static long partCount(Request request) {
        return request.headerNames().stream().filter(name -> PART.matcher(name).matches()).count();
    }

    private static Bytes base64(String text) {
        try {
            return Bytes.wrap(Base64.getDecoder().decode(text));
        } catch (IllegalArgumentException _) {
            throw new YtException(
                    YtCodes.GENERIC, "The joined parts of X-YT-Parameters are not valid base64");
        }
    }

    /// The bytes of a header value. Each character of the text stands for one byte.
    static Bytes latin1(String text) {
        return Bytes.wrap(text.getBytes(StandardCharsets.ISO_8859_1));
    }

    static DataFormat headerFormat(Request request) {
        return request.header("X-YT-Header-Format").map(DataFormat::parse).orElse(DataFormat.JSON);
    }

    private static DataFormat bodyFormat(Request request) {
        return request.header("X-YT-Input-Format")
                .map(DataFormat::parse)
                .or(() -> mediaType(request))
                // The Go client names no type, and sends YSON.
                .orElse(DataFormat.YSON_TEXT);
    }

    private static Optional<DataFormat> mediaType(Request request) {
        return request.header("Content-Type")
                .map(type -> type.split(";", 2)[0].strip().toLowerCase(Locale.ROOT))
                .flatMap(DataFormat::ofMediaType);
    }
}
