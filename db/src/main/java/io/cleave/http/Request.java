package io.cleave.http;

import io.grpc.netty.shaded.io.netty.handler.codec.http.HttpHeaders;

import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/// A valid request with its body. The whole body has arrived, unless the route reads long bodies
/// while they arrive ([#hasWholeBody]).
public final class Request {
    private final String method;
    private final String path;
    private final Optional<String> rawQuery;
    private final HttpHeaders headers;
    private final RequestBody body;
    private final String peerAddress;

    Request(
            String method,
            String path,
            Optional<String> rawQuery,
            HttpHeaders headers,
            RequestBody body,
            String peerAddress) {
        this.method = method;
        this.path = path;
        this.rawQuery = rawQuery;
        this.headers = headers;
        this.body = body;
        this.peerAddress = peerAddress;
    }

    public String method() {
        return method;
    }

    /// The path as it was sent, without decoding percent signs.
    public String path() {
        return path;
    }

    /// The text after the question mark, as it was sent.
    public Optional<String> rawQuery() {
        return rawQuery;
    }

    /// The first header of that name; the case of the name does not matter.
    public Optional<String> header(String name) {
        return Optional.ofNullable(headers.get(name));
    }

    /// All headers of that name, in the order in which they were sent.
    public List<String> headers(String name) {
        return headers.getAll(name);
    }

    /// Whether the request has a header that a browser sends for a page of another server only with
    /// this server's permission. The server never gives it. So the request comes from a program, or
    /// from a page of this server.
    public boolean hasProgramHeader() {
        return RequestCheck.hasProgramHeader(headers);
    }

    /// The names of all headers, in lower case.
    public List<String> headerNames() {
        return headers.names().stream().map(name -> name.toLowerCase(Locale.ROOT)).toList();
    }

    /// Where the request comes from, as the socket shows it: `/127.0.0.1:5000`.
    public String peerAddress() {
        return peerAddress;
    }

    public String bodyText() {
        return new String(body.bytes(), StandardCharsets.UTF_8);
    }

    public byte[] bodyBytes() {
        return body.bytes();
    }

    /// Whether the whole body has arrived. Otherwise it can only be read with [#bodyStream].
    public boolean hasWholeBody() {
        return body.isWhole();
    }

    /// The length of the body as it was sent, or of its part that has arrived.
    public long bodyLength() {
        return body.length();
    }

    /// Reads the body from its beginning. If the body is still arriving, the stream waits for it,
    /// and fails if it stops halfway. Otherwise the stream never fails.
    public InputStream bodyStream() {
        return body.stream();
    }
}
