package io.cleave.yt;

import io.cleave.base.Bytes;
import io.cleave.http.Answer;
import io.cleave.value.YsonNode;
import io.cleave.yt.error.YtError;
import io.cleave.yt.format.DataFormat;
import io.cleave.yt.format.TreeSize;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.SequencedMap;

/// An error in the form that clients read: JSON in the body, and three headers. If the body has
/// begun, trailers replace the headers. Very long texts and attributes of the error are cut,
/// because they may quote what the client has sent.
final class ErrorAnswer {
    static final String ERROR = "X-YT-Error";
    static final String CODE = "X-YT-Response-Code";
    static final String MESSAGE = "X-YT-Response-Message";

    /// Limit of the error in a header. Clients refuse longer headers. The body contains the whole
    /// error.
    private static final int MAX_HEADER_CHARS = 16 << 10;

    private static final int MAX_MESSAGE_CHARS = 1 << 10;

    // Limits of the error in the body.
    private static final int MAX_TEXT_CHARS = 64 << 10;
    private static final long MAX_ATTRIBUTE_BYTES = 64L << 10;
    private static final int MAX_INNER_ERRORS = 100;

    private static final String JSON = "application/json";

    private ErrorAnswer() {}

    /// The answer to a request that has failed.
    static Answer of(int status, YtError error) {
        Bytes body = json(error);
        return Answer.of(status, JSON, headers(error, body), body.array());
    }

    /// The error as a tree, as it is in JSON and in the results of a batch.
    static YsonNode.Members node(YtError error) {
        return YsonNode.map()
                .with("code", error.code())
                .with("message", cut(error.message(), MAX_TEXT_CHARS))
                .with("attributes", attributes(error))
                .with(
                        "inner_errors",
                        YsonNode.list(
                                error.innerErrors().stream()
                                        .limit(MAX_INNER_ERRORS)
                                        .<YsonNode>map(ErrorAnswer::node)
                                        .toList()))
                .build();
    }

    private static YsonNode.Members attributes(YtError error) {
        SequencedMap<Bytes, YsonNode> known = error.attributes().members();
        if (known.values().stream().allMatch(value -> TreeSize.of(value) <= MAX_ATTRIBUTE_BYTES)) {
            return error.attributes();
        }
        var shown = new LinkedHashMap<Bytes, YsonNode>();
        known.forEach(
                (name, value) -> {
                    if (TreeSize.of(value) <= MAX_ATTRIBUTE_BYTES) {
                        shown.put(name, value);
                    }
                });
        return new YsonNode.Members(shown);
    }

    private static String cut(String text, int most) {
        return text.length() <= most ? text : text.substring(0, most) + "...";
    }

    static Bytes json(YtError error) {
        return DataFormat.JSON.writeValue(node(error));
    }

    static Map<String, String> headers(YtError error) {
        return headers(error, json(error));
    }

    private static Map<String, String> headers(YtError error, Bytes json) {
        Map<String, String> headers = new LinkedHashMap<>();
        String text = ascii(json.utf8());
        headers.put(ERROR, text.length() <= MAX_HEADER_CHARS ? text : ascii(brief(error)));
        headers.put(CODE, Integer.toString(error.code()));
        headers.put(MESSAGE, message(error));
        return headers;
    }

    /// The error without attributes and with a short message. The codes of inner errors are kept,
    /// because clients search for them.
    private static String brief(YtError error) {
        String text = json(briefly(error)).utf8();
        return ascii(text).length() <= MAX_HEADER_CHARS
                ? text
                : json(YtError.of(error.code(), shortened(error.message()))).utf8();
    }

    private static YtError briefly(YtError error) {
        YtError brief = YtError.of(error.code(), shortened(error.message()));
        for (YtError inner : error.innerErrors()) {
            brief = brief.with(briefly(inner));
        }
        return brief;
    }

    private static String shortened(String text) {
        return text.length() <= MAX_MESSAGE_CHARS ? text : text.substring(0, MAX_MESSAGE_CHARS);
    }

    /// JSON in which every character that is not ASCII is escaped. The result has no line break: it
    /// is written on one line, and JSON escapes line breaks in strings.
    private static String ascii(String json) {
        var out = new StringBuilder(json.length());
        for (int at = 0; at < json.length(); at++) {
            char c = json.charAt(at);
            if (c >= ' ' && c < 0x7f) {
                out.append(c);
            } else if (c != '\n' && c != '\r') {
                out.append("\\u%04x".formatted((int) c));
            }
        }
        return out.toString();
    }

    private static String message(YtError error) {
        String text = shortened(error.message());
        var out = new StringBuilder(text.length());
        for (int at = 0; at < text.length(); at++) {
            char c = text.charAt(at);
            out.append(c < ' ' ? ' ' : c < 0x7f ? c : '?');
        }
        return out.toString().strip();
    }
}
