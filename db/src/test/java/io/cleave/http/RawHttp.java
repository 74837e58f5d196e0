package io.cleave.http;

import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.Closeable;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/// A connection on which a test writes the bytes of requests by hand.
public final class RawHttp implements Closeable {
    /// Only ends a test that would hang; no assertion depends on it.
    private static final Duration PATIENCE = Duration.ofSeconds(30);

    private final Socket socket;
    private final InputStream in;

    public RawHttp(int port) throws IOException {
        this(port, "127.0.0.1");
    }

    /// From one of the addresses of this machine.
    public RawHttp(int port, String from) throws IOException {
        socket = new Socket();
        // Small, so that what is not read soon waits in the server.
        socket.setReceiveBufferSize(16 << 10);
        socket.bind(new InetSocketAddress(from, 0));
        socket.connect(new InetSocketAddress("127.0.0.1", port));
        socket.setSoTimeout((int) PATIENCE.toMillis());
        in = new BufferedInputStream(socket.getInputStream());
    }

    /// What came back: the head as it was sent, and the body without the marks of its parts.
    public record Reply(
            String statusLine, List<String> headers, String body, List<String> trailers) {
        public int status() {
            return Integer.parseInt(statusLine.split(" ", 3)[1]);
        }

        /// The value of a header, or an empty text.
        public String header(String name) {
            String prefix = name.toLowerCase(Locale.ROOT) + ":";
            return headers.stream()
                    .filter(line -> line.toLowerCase(Locale.ROOT).startsWith(prefix))
                    .map(line -> line.substring(prefix.length()).strip())
                    .findFirst()
                    .orElse("");
        }
    }

    public RawHttp send(String text) throws IOException {
        return send(text.getBytes(StandardCharsets.ISO_8859_1));
    }

    public RawHttp send(byte[] bytes) throws IOException {
        socket.getOutputStream().write(bytes);
        socket.getOutputStream().flush();
        return this;
    }

    /// Sends until all is sent or the server takes no more.
    public void sendWhatIsTaken(byte[] bytes) throws IOException {
        try {
            send(bytes);
        } catch (SocketException _) {
            // The server has said what it had to say, and closed.
        }
    }

    public void endSending() throws IOException {
        socket.shutdownOutput();
    }

    /// The next answer. Throws [EOFException] if the server closes before one has come.
    public Reply reply() throws IOException {
        return reply(true);
    }

    public Reply reply(boolean hasBody) throws IOException {
        String statusLine = line();
        List<String> headers = new ArrayList<>();
        String header = line();
        while (!header.isEmpty()) {
            headers.add(header);
            header = line();
        }
        var head = new Reply(statusLine, headers, "", List.of());
        if (!hasBody || head.status() < 200) {
            return head;
        }
        List<String> trailers = new ArrayList<>();
        var body = new String(body(head, trailers), StandardCharsets.UTF_8);
        return new Reply(statusLine, headers, body, trailers);
    }

    private byte[] body(Reply head, List<String> trailers) throws IOException {
        if (head.header("Transfer-Encoding").equals("chunked")) {
            return chunks(trailers);
        }
        String length = head.header("Content-Length");
        if (length.isEmpty()) {
            return in.readAllBytes();
        }
        byte[] body = in.readNBytes(Integer.parseInt(length));
        if (body.length < Integer.parseInt(length)) {
            throw new EOFException("the body ends after " + body.length + " bytes of " + length);
        }
        return body;
    }

    private byte[] chunks(List<String> trailers) throws IOException {
        var body = new ByteArrayOutputStream();
        int length = Integer.parseInt(line(), 16);
        while (length > 0) {
            body.write(in.readNBytes(length));
            line();
            length = Integer.parseInt(line(), 16);
        }
        String trailer = line();
        while (!trailer.isEmpty()) {
            trailers.add(trailer);
            trailer = line();
        }
        return body.toByteArray();
    }

    private String line() throws IOException {
        var line = new StringBuilder();
        int next = in.read();
        while (next != '\n') {
            if (next < 0) {
                throw new EOFException("closed after '" + line + "'");
            }
            line.append((char) next);
            next = in.read();
        }
        if (line.isEmpty() || line.charAt(line.length() - 1) != '\r') {
            throw new IOException("a line without CR: " + line);
        }
        line.setLength(line.length() - 1);
        return line.toString();
    }

    /// The next byte, once it has come.
    public int read() throws IOException {
        return in.read();
    }

    /// Whether the server closes without a further byte; waits for one or the other.
    public boolean isClosed() throws IOException {
        try {
            return in.read() < 0;
        } catch (SocketException _) {
            return true;
        }
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}
