package io.cleave.http;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.io.OutputStream;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// A request, and the means to answer it. A handler either answers with a complete body
/// ([#answer]), or begins an answer and writes the body while it works ([#begin]). In the second
/// case it may add trailers until it returns. The client gets them after the body.
///
/// Threads: only the handler's thread, except for [#closed].
public final class Exchange {
    private final Request request;
    private final RequestBody body;
    private final HttpConnection connection;
    private final Map<String, String> trailers = new LinkedHashMap<>();
    private @Nullable Answer answer;
    private @Nullable ResponseStream stream;
    private boolean isFailed;
    private volatile Runnable whenClosed = () -> {};
    private volatile boolean isClosed;

    Exchange(Request request, RequestBody body, HttpConnection connection) {
        this.request = request;
        this.body = body;
        this.connection = connection;
    }

    public Request request() {
        return request;
    }

    /// Registers a `reaction` to the end of the connection. It runs when the connection is closed
    /// before the answer was sent. If that has already happened, it runs now. It may run on any
    /// thread, and must not wait.
    public void whenClosed(Runnable reaction) {
        whenClosed = reaction;
        if (isClosed) {
            reaction.run();
        }
    }

    /// Called when the connection is closed.
    void closed() {
        isClosed = true;
        whenClosed.run();
    }

    /// Whether an answer was given or begun.
    public boolean isAnswered() {
        return answer != null;
    }

    /// Answers with a body that is complete.
    public void answer(Answer whole) {
        requireUnanswered();
        if (whole.content() instanceof Answer.Streamed) {
            throw new IllegalArgumentException("the body is not complete");
        }
        answer = whole;
    }

    /// Begins an answer. Its body is what is written to the stream. A write waits while the client
    /// does not read, and fails if the client is gone or reads too slowly. `trailerNames` are the
    /// names of the trailers that may be set later. What is left of the request's body is dropped.
    public OutputStream begin(
            int status, String contentType, Map<String, String> headers, List<String> trailerNames)
            throws IOException {
        requireUnanswered();
        var content = new Answer.Streamed(_ -> {});
        var begun = new Answer(status, contentType, headers, content);
        if (!trailerNames.isEmpty()) {
            begun = begun.with("Trailer", String.join(", ", trailerNames));
        }
        body.skipRest();
        answer = begun;
        ResponseStream out = connection.beginStream(begun);
        stream = out;
        return out;
    }

    /// Sets a trailer of an answer that was begun. Clients of HTTP/1.0 do not get it.
    public void trailer(String name, String value) {
        Answer.checkHeader(value);
        trailers.put(name, value);
    }

    /// Ends an answer that was begun. The trailers report a failure. A client of HTTP/1.0 does not
    /// get trailers, so its connection is broken off.
    public void fail(Map<String, String> failure) {
        failure.forEach(this::trailer);
        isFailed = true;
    }

    private void requireUnanswered() {
        if (answer != null) {
            throw new IllegalStateException("the request is already answered");
        }
    }

    @Nullable Answer answered() {
        return answer;
    }

    /// Called when the handler has returned. Ends the body if one was begun; returns false
    /// otherwise.
    boolean endStream() {
        ResponseStream begun = stream;
        Answer head = answer;
        if (begun == null || head == null) {
            return false;
        }
        if (isFailed && connection.isOld()) {
            connection.abortStream();
        } else {
            connection.endStream(begun, head, trailers);
        }
        return true;
    }

    /// Called when the handler has failed. Breaks off the body if one was begun, so the client sees
    /// that it is incomplete. Returns false if no body was begun.
    boolean abortStream() {
        if (stream == null) {
            return false;
        }
        connection.abortStream();
        return true;
    }
}
