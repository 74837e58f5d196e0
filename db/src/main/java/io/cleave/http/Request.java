package io.cleave.http;

import io.grpc.netty.shaded.io.netty.handler.codec.http.HttpHeaders;

import java.nio.charset.StandardCharsets;
import java.util.Optional;

/// A valid request with its whole body.
public final class Request {
    private final String method;
    private final String path;
    private final Optional<String> rawQuery;
    private final HttpHeaders headers;
    private final byte[] body;
    private final String peerAddress;

    Request(
            String method,
            String path,
            Optional<String> rawQuery,
            HttpHeaders headers,
            byte[] body,
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

    /// Where the request comes from, as the socket shows it: `/127.0.0.1:5000`.
    public String peerAddress() {
        return peerAddress;
    }

    public String bodyText() {
        return new String(body, StandardCharsets.UTF_8);
    }
}
