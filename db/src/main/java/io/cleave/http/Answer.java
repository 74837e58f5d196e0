package io.cleave.http;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.TreeMap;

/// The answer to a request. `headers` are additional headers. The server itself sets the length,
/// the date, and the headers about the connection.
public record Answer(int status, String contentType, Map<String, String> headers, Content content) {
    private static final String PLAIN_TEXT = "text/plain; charset=utf-8";
    private static final String JSON = "application/json";

    public Answer {
        headers = Map.copyOf(headers);
        for (Map.Entry<String, String> each : headers.entrySet()) {
            checkHeader(each.getKey());
            checkHeader(each.getValue());
        }
    }

    /// Refuses a line break in a header. It would begin another header, and with it another answer.
    static void checkHeader(String value) {
        for (int index = 0; index < value.length(); index++) {
            char c = value.charAt(index);
            if (c < ' ' || c == 0x7f || c > 0xff) {
                throw new IllegalArgumentException("a header has a character that is not allowed");
            }
        }
    }

    public sealed interface Content {}

    /// A complete body. The bytes must not change any more.
    public static final class Whole implements Content {
        private final byte[] bytes;

        private Whole(byte[] bytes) {
            this.bytes = bytes;
        }

        byte[] bytes() {
            return bytes;
        }
    }

    /// A body that is written while it is sent, in chunks. The writer runs on the handler's thread.
    /// It waits when the client reads more slowly than it writes.
    public record Streamed(Writer writer) implements Content {}

    @FunctionalInterface
    public interface Writer {
        /// Writes the body. An [IOException] means that the client is gone or too slow. Any
        /// exception ends the connection in the middle of the body, so the client sees that the
        /// body is incomplete.
        void writeTo(OutputStream out) throws IOException;
    }

    public static Answer text(int status, String body) {
        return of(status, PLAIN_TEXT, body);
    }

    public static Answer json(int status, String body) {
        return of(status, JSON, body);
    }

    public static Answer of(int status, String contentType, String body) {
        return of(status, contentType, body.getBytes(StandardCharsets.UTF_8));
    }

    public static Answer of(int status, String contentType, byte[] body) {
        return new Answer(status, contentType, Map.of(), new Whole(body));
    }

    public static Answer of(
            int status, String contentType, Map<String, String> headers, byte[] body) {
        return new Answer(status, contentType, headers, new Whole(body));
    }

    public static Answer streamed(int status, String contentType, Writer writer) {
        return new Answer(status, contentType, Map.of(), new Streamed(writer));
    }

    /// This answer with one more header.
    public Answer with(String name, String value) {
        Map<String, String> more = new TreeMap<>(headers);
        more.put(name, value);
        return new Answer(status, contentType, more, content);
    }
}
