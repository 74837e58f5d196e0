package io.cleave.http;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.TreeMap;

/// What a request is answered with. `headers` are further ones; length, date and what concerns the
/// connection are the server's own.
public record Answer(int status, String contentType, Map<String, String> headers, Content content) {
    private static final String PLAIN_TEXT = "text/plain; charset=utf-8";
    private static final String JSON = "application/json";

    public Answer {
        headers = Map.copyOf(headers);
    }

    public sealed interface Content {}

    /// Bytes that are there. Nobody changes them any more.
    public static final class Whole implements Content {
        private final byte[] bytes;

        private Whole(byte[] bytes) {
            this.bytes = bytes;
        }

        byte[] bytes() {
            return bytes;
        }
    }

    /// Bytes that are made while they are sent, in chunks. The writer runs on the handler's thread,
    /// which waits when the client takes less than it makes.
    public record Streamed(Writer writer) implements Content {}

    @FunctionalInterface
    public interface Writer {
        /// An [IOException] means that the client is gone, or too slow. Whatever is thrown ends the
        /// connection in the middle of the body, so that nobody takes the part for the whole.
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

    public static Answer streamed(int status, String contentType, Writer writer) {
        return new Answer(status, contentType, Map.of(), new Streamed(writer));
    }

    /// The same with one more header.
    public Answer with(String name, String value) {
        Map<String, String> more = new TreeMap<>(headers);
        more.put(name, value);
        return new Answer(status, contentType, more, content);
    }
}
