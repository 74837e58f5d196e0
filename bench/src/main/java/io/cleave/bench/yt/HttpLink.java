package io.cleave.bench.yt;

import java.io.BufferedInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Locale;

/// One kept HTTP/1.1 connection. It does as little as possible, because clients share the machine
/// with the server that is measured.
public final class HttpLink implements AutoCloseable {
    private static final int TIMEOUT_MILLIS = 60_000;

    private final Socket socket;
    private final InputStream in;
    private final OutputStream out;
    private final String host;

    /// @param address `http://HOST:PORT`
    public HttpLink(String address) throws IOException {
        URI uri = URI.create(address);
        host = uri.getAuthority();
        socket = new Socket(uri.getHost(), uri.getPort());
        socket.setTcpNoDelay(true);
        socket.setSoTimeout(TIMEOUT_MILLIS);
        in = new BufferedInputStream(socket.getInputStream(), 1 << 16);
        out = socket.getOutputStream();
    }

    /// The whole request as bytes, to be sent many times.
    public byte[] request(String method, String path, String parameters, byte[] body) {
        String head =
                """
                %s %s HTTP/1.1\r
                Host: %s\r
                X-YT-Header-Format: <format=text>yson\r
                X-YT-Parameters: %s\r
                Content-Length: %d\r
                \r
                """
                        .formatted(method, path, host, parameters, body.length);
        byte[] headBytes = head.getBytes(StandardCharsets.ISO_8859_1);
        byte[] whole = Arrays.copyOf(headBytes, headBytes.length + body.length);
        System.arraycopy(body, 0, whole, headBytes.length, body.length);
        return whole;
    }

    /// Sends a request and returns the body of the answer. Any status but 200 is a failure.
    public byte[] send(byte[] request) throws IOException {
        out.write(request);
        out.flush();
        String status = line();
        int length = 0;
        boolean isChunked = false;
        String error = "";
        for (String header = line(); !header.isEmpty(); header = line()) {
            String lower = header.toLowerCase(Locale.ROOT);
            if (lower.startsWith("content-length:")) {
                length = Integer.parseInt(lower.substring(15).strip());
            } else if (lower.startsWith("transfer-encoding:")) {
                isChunked = lower.contains("chunked");
            } else if (lower.startsWith("x-yt-error:")) {
                error = header;
            }
        }
        byte[] body = isChunked ? chunks() : exactly(length);
        if (!status.contains(" 200 ")) {
            throw new IOException(status + ": " + error);
        }
        return body;
    }

    private byte[] chunks() throws IOException {
        byte[] all = new byte[0];
        while (true) {
            int length = Integer.parseInt(line().split(";", 2)[0].strip(), 16);
            if (length == 0) {
                break;
            }
            byte[] chunk = exactly(length);
            int before = all.length;
            all = Arrays.copyOf(all, before + length);
            System.arraycopy(chunk, 0, all, before, length);
            line();
        }
        for (String trailer = line(); !trailer.isEmpty(); trailer = line()) {
            if (trailer.toLowerCase(Locale.ROOT).startsWith("x-yt-error:")) {
                throw new IOException(trailer);
            }
        }
        return all;
    }

    private byte[] exactly(int length) throws IOException {
        byte[] bytes = in.readNBytes(length);
        if (bytes.length < length) {
            throw new EOFException("the answer stopped after " + bytes.length + " bytes");
        }
        return bytes;
    }

    private String line() throws IOException {
        var text = new StringBuilder();
        while (true) {
            int next = in.read();
            if (next < 0) {
                throw new EOFException("the connection was closed: " + text);
            }
            if (next == '\n') {
                return text.toString().stripTrailing();
            }
            text.append((char) next);
        }
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}
