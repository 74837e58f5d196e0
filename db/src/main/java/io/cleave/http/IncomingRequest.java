package io.cleave.http;

import io.cleave.http.RequestCheck.Accepted;
import io.grpc.netty.shaded.io.netty.handler.codec.http.DefaultHttpHeaders;
import io.grpc.netty.shaded.io.netty.handler.codec.http.HttpContent;
import io.grpc.netty.shaded.io.netty.handler.codec.http.HttpHeaders;
import io.grpc.netty.shaded.io.netty.handler.codec.http.HttpRequest;
import io.grpc.netty.shaded.io.netty.handler.codec.http.LastHttpContent;

import org.jspecify.annotations.Nullable;

import java.io.ByteArrayOutputStream;
import java.util.Objects;
import java.util.Optional;

/// A request, from the end of its headers until its answer.
///
/// Threads: only the connection's event loop, except for the handler.
final class IncomingRequest {
    private final HttpServer server;
    private final String method;
    private final HttpHeaders headers;
    private final @Nullable Accepted accepted;
    private final @Nullable Answer refusal;
    private final ByteArrayOutputStream body = new ByteArrayOutputStream(0);
    private boolean isWhole;
    private boolean isHandled;

    IncomingRequest(HttpServer server, HttpRequest read, Accepted accepted) {
        this.server = server;
        this.method = read.method().name();
        this.headers = read.headers();
        this.accepted = accepted;
        this.refusal = null;
    }

    /// A valid request that is refused.
    IncomingRequest(HttpServer server, Answer refusal) {
        this.server = server;
        this.method = "";
        this.headers = new DefaultHttpHeaders();
        this.accepted = null;
        this.refusal = refusal;
    }

    boolean isWhole() {
        return isWhole;
    }

    /// Adds a part of the body.
    void add(HttpContent read) throws BadRequestException {
        isWhole = read instanceof LastHttpContent;
        int count = read.content().readableBytes();
        if (count == 0) {
            return;
        }
        if (!server.bodies().take(count)) {
            throw new BadRequestException(
                    503,
                    "the bodies of all requests together may have up to %d bytes; retry later"
                            .formatted(server.limits().bodyBytes()));
        }
        byte[] bytes = new byte[count];
        read.content().readBytes(bytes);
        body.writeBytes(bytes);
    }

    /// Makes sure that `connection` gets an answer.
    void answer(HttpConnection connection, Object peer) {
        if (accepted == null) {
            connection.send(Objects.requireNonNull(refusal), () -> {});
            return;
        }
        switch (accepted.route()) {
            case HttpRoute.Immediate immediate ->
                    connection.send(HttpServer.guarded(immediate.answer()), () -> {});
            case HttpRoute.Shared shared ->
                    server.shared(shared)
                            .ask(
                                    answer ->
                                            connection.later(
                                                    () -> connection.send(answer, () -> {})));
            case HttpRoute.Handled handled -> {
                Optional<String> refused = server.slots().take(peer);
                if (refused.isPresent()) {
                    connection.send(
                            Answer.text(503, refused.get() + "\n").with("Retry-After", "1"),
                            () -> {});
                    return;
                }
                isHandled = true;
                server.table().begin(connection);
                server.env().spawn("http", () -> handle(connection, peer, handled, accepted));
            }
        }
    }

    /// Runs on the handler's thread. The slot of a large answer is given back only when the socket
    /// has taken the answer. So the number of slots also limits the large answers that wait for
    /// slow clients.
    private void handle(
            HttpConnection connection, Object peer, HttpRoute.Handled handled, Accepted asked) {
        var request =
                new Request(
                        method,
                        asked.path(),
                        asked.rawQuery(),
                        headers,
                        body.toByteArray(),
                        connection.peerAddress());
        Answer answer = HttpServer.guarded(() -> handled.handler().answer(request));
        server.bodies().giveBack(body.size());
        switch (answer.content()) {
            case Answer.Streamed(Answer.Writer writer) -> {
                try {
                    connection.stream(answer, writer);
                } finally {
                    server.slots().giveBack(peer);
                }
            }
            case Answer.Whole whole -> {
                boolean isSmall = whole.bytes().length <= HttpLimits.SMALL_ANSWER_BYTES;
                if (isSmall) {
                    server.slots().giveBack(peer);
                }
                Runnable giveBack = isSmall ? () -> {} : () -> server.slots().giveBack(peer);
                if (!connection.later(() -> send(connection, answer, giveBack))) {
                    giveBack.run();
                }
            }
        }
    }

    private void send(HttpConnection connection, Answer answer, Runnable giveBack) {
        server.table().finish(connection);
        connection.send(answer, giveBack);
    }

    /// Gives back the memory of the body, unless the handler does.
    void release() {
        if (!isHandled) {
            server.bodies().giveBack(body.size());
        }
    }
}
