package io.cleave.http;

import io.cleave.http.RequestCheck.Accepted;
import io.grpc.netty.shaded.io.netty.handler.codec.http.DefaultHttpHeaders;
import io.grpc.netty.shaded.io.netty.handler.codec.http.HttpContent;
import io.grpc.netty.shaded.io.netty.handler.codec.http.HttpHeaders;
import io.grpc.netty.shaded.io.netty.handler.codec.http.HttpRequest;
import io.grpc.netty.shaded.io.netty.handler.codec.http.LastHttpContent;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.util.Objects;
import java.util.Optional;

/// A request, from the end of its headers until its answer.
///
/// Threads: only the connection's event loop, except for the handler.
final class IncomingRequest {
    private final HttpServer server;
    private final Object peer;
    private final String method;
    private final HttpHeaders headers;
    private final @Nullable Accepted accepted;
    private final @Nullable Answer refusal;
    private final BodyBuffer body = new BodyBuffer();
    private volatile @Nullable Exchange exchange;

    /// The rest of the body, if the handler reads the body while it arrives.
    private @Nullable ArrivingBody arriving;

    /// Bytes of the head and the body that were taken from the budget.
    private long takenBytes;

    private boolean isWhole;
    private boolean isHandled;

    /// `takenBytes` is the number of bytes of the head that were taken from the budget.
    IncomingRequest(
            HttpServer server, Object peer, HttpRequest read, Accepted accepted, int takenBytes) {
        this.server = server;
        this.peer = peer;
        this.takenBytes = takenBytes;
        this.method = read.method().name();
        this.headers = read.headers();
        this.accepted = accepted;
        this.refusal = null;
    }

    /// Creates a valid request that is refused.
    IncomingRequest(HttpServer server, Answer refusal) {
        this.server = server;
        this.peer = "";
        this.method = "";
        this.headers = new DefaultHttpHeaders();
        this.accepted = null;
        this.refusal = refusal;
    }

    boolean isWhole() {
        return isWhole;
    }

    /// Adds a part of the body. A long body is given to its handler while it arrives, if the route
    /// allows that.
    void add(HttpContent read, HttpConnection connection) throws BadRequestException {
        isWhole = read instanceof LastHttpContent;
        int count = read.content().readableBytes();
        if (count == 0) {
            return;
        }
        ArrivingBody rest = arriving;
        if (rest == null) {
            server.bodies().take(peer, count);
            takenBytes += count;
        }
        byte[] bytes = new byte[count];
        read.content().readBytes(bytes);
        if (rest != null) {
            if (rest.add(bytes)) {
                connection.gate().pause();
            }
            return;
        }
        body.add(bytes);
        if (!isWhole
                && body.length() > HttpLimits.WHOLE_BODY_BYTES
                && accepted != null
                && accepted.route() instanceof HttpRoute.Exchanged exchanged
                && exchanged.readsArriving().test(accepted.path())) {
            answerArriving(connection, exchanged, accepted);
        }
    }

    /// Starts the handler before the whole body has arrived, if there are slots for that. Otherwise
    /// the body is kept until it is whole, or until there is a slot.
    private void answerArriving(
            HttpConnection connection, HttpRoute.Exchanged exchanged, Accepted asked) {
        if (!server.slots().takeEarly(peer)) {
            return;
        }
        // The bytes of the body now belong to the arriving body.
        takenBytes -= body.length();
        var rest =
                new ArrivingBody(
                        server.env(),
                        server.bodies(),
                        peer,
                        body,
                        () -> connection.later(() -> readOn(connection)));
        arriving = rest;
        begin(connection, () -> exchange(connection, exchanged, asked, rest));
    }

    private void readOn(HttpConnection connection) {
        ArrivingBody rest = arriving;
        if (rest != null && !rest.isPaused()) {
            connection.gate().resume();
        }
    }

    /// Called when the whole body has arrived. Makes sure that `connection` gets an answer.
    void answer(HttpConnection connection) {
        if (arriving != null) {
            arriving.end();
            return;
        }
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
            case HttpRoute.Handled handled ->
                    spawn(connection, () -> handle(connection, handled, accepted));
            case HttpRoute.Exchanged exchanged -> {
                Optional<Answer> prompt = prompt(connection, exchanged, accepted);
                if (prompt.isPresent()) {
                    connection.send(prompt.get(), () -> {});
                } else {
                    spawn(connection, () -> exchange(connection, exchanged, accepted, body));
                }
            }
        }
    }

    /// Answers a request that needs no thread of its own.
    @SuppressWarnings("CatchThrowable") // otherwise the request would have no answer
    private Optional<Answer> prompt(
            HttpConnection connection, HttpRoute.Exchanged exchanged, Accepted asked) {
        if (body.length() > HttpLimits.PROMPT_BODY_BYTES) {
            return Optional.empty();
        }
        try {
            return exchanged.prompt().answer(request(connection, asked, body));
        } catch (Throwable thrown) {
            HttpServer.report(thrown);
            return Optional.of(Answer.text(500, "internal error: " + thrown + "\n"));
        }
    }

    /// Runs a handler, if there is a slot for it.
    private void spawn(HttpConnection connection, Runnable handler) {
        Optional<String> refused = server.slots().take(peer);
        if (refused.isPresent()) {
            connection.send(server.check().overloaded(refused.get()), () -> {});
            return;
        }
        begin(connection, handler);
    }

    /// Runs a handler that has a slot.
    private void begin(HttpConnection connection, Runnable handler) {
        isHandled = true;
        server.table().begin(connection);
        server.env().spawn("http", handler);
    }

    private Request request(HttpConnection connection, Accepted asked, RequestBody content) {
        return new Request(
                method, asked.path(), asked.rawQuery(), headers, content, connection.peerAddress());
    }

    /// Runs on the handler's thread. The slot of a large answer is given back only when the socket
    /// has taken the answer. So the number of slots also limits the large answers that wait for
    /// slow clients.
    private void handle(HttpConnection connection, HttpRoute.Handled handled, Accepted asked) {
        Request request = request(connection, asked, body);
        Answer answer = HttpServer.guarded(() -> handled.handler().answer(request));
        giveBack();
        switch (answer.content()) {
            case Answer.Streamed(Answer.Writer writer) -> {
                try {
                    connection.stream(answer, writer);
                } finally {
                    server.slots().giveBack(peer);
                }
            }
            case Answer.Whole whole -> sendWhole(connection, answer, whole);
        }
    }

    /// Runs on the handler's thread. The memory of the request is given back when its handler ends,
    /// since the handler may read the body while it writes the answer.
    @SuppressWarnings("CatchThrowable") // otherwise the slot of the request would be lost
    private void exchange(
            HttpConnection connection,
            HttpRoute.Exchanged exchanged,
            Accepted asked,
            RequestBody content) {
        var running = new Exchange(request(connection, asked, content), content, connection);
        exchange = running;
        if (!connection.isActive()) {
            running.closed();
        }
        Answer failed = null;
        try {
            exchanged.handler().handle(running);
        } catch (IOException e) {
            // The client is gone, or is cut off because it does not read.
            failed = Answer.text(503, e.getMessage() + "\n");
        } catch (Throwable thrown) {
            HttpServer.report(thrown);
            failed = Answer.text(500, "internal error: " + thrown + "\n");
        }
        try {
            content.skipRest();
        } catch (IOException _) {
            // The client is gone, or was refused. The answer below is dropped.
        }
        giveBack();
        boolean isStream = failed == null ? running.endStream() : running.abortStream();
        if (isStream) {
            server.slots().giveBack(peer);
            return;
        }
        Answer answer = failed == null ? running.answered() : failed;
        if (answer == null) {
            answer = Answer.text(500, "internal error: no answer\n");
        }
        sendWhole(connection, answer, (Answer.Whole) answer.content());
    }

    private void sendWhole(HttpConnection connection, Answer answer, Answer.Whole whole) {
        boolean isSmall = whole.bytes().length <= HttpLimits.SMALL_ANSWER_BYTES;
        if (isSmall) {
            server.slots().giveBack(peer);
        }
        Runnable giveBack = isSmall ? () -> {} : () -> server.slots().giveBack(peer);
        if (!connection.later(() -> send(connection, answer, giveBack))) {
            giveBack.run();
        }
    }

    private void send(HttpConnection connection, Answer answer, Runnable giveBack) {
        server.table().finish(connection);
        connection.sendFor(this, answer, giveBack);
    }

    /// Called when the connection reads no more of the body, although it may not be complete.
    void stopped(String why) {
        if (arriving != null) {
            arriving.fail(why);
        }
    }

    /// Called when the connection is closed.
    void closed() {
        stopped("the client has closed the connection");
        Exchange running = exchange;
        if (running != null) {
            running.closed();
        }
    }

    /// Gives back the memory of the request, unless the handler does.
    void release() {
        if (!isHandled) {
            giveBack();
        }
    }

    private void giveBack() {
        server.bodies().giveBack(peer, takenBytes);
        takenBytes = 0;
    }
}
