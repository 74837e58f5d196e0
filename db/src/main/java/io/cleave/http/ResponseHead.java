package io.cleave.http;

import io.grpc.netty.shaded.io.netty.buffer.ByteBuf;
import io.grpc.netty.shaded.io.netty.handler.codec.http.DefaultHttpResponse;
import io.grpc.netty.shaded.io.netty.handler.codec.http.HttpHeaderNames;
import io.grpc.netty.shaded.io.netty.handler.codec.http.HttpHeaderValues;
import io.grpc.netty.shaded.io.netty.handler.codec.http.HttpResponse;
import io.grpc.netty.shaded.io.netty.handler.codec.http.HttpResponseStatus;
import io.grpc.netty.shaded.io.netty.handler.codec.http.HttpVersion;

import java.nio.charset.StandardCharsets;
import java.util.function.BiConsumer;

/// The status line and the headers of an answer.
///
/// @param isOld the client speaks HTTP/1.0
/// @param isHead the client wants only the head, and no body
/// @param keepAlive the connection stays open for another request
record ResponseHead(boolean isOld, boolean isHead, boolean keepAlive) {
    /// Most heads are shorter.
    private static final int USUAL_CHARS = 512;

    /// Whether the connection closes after this answer. In HTTP/1.0, only the end of the connection
    /// can mark the end of a streamed body.
    boolean endsWithConnection(Answer answer) {
        return !keepAlive || (isOld && answer.content() instanceof Answer.Streamed);
    }

    /// For Netty's encoder, which also encodes the body that follows.
    HttpResponse of(Answer answer, String date) {
        var response =
                new DefaultHttpResponse(
                        HttpVersion.HTTP_1_1, HttpResponseStatus.valueOf(answer.status()));
        forEachHeader(answer, date, response.headers()::set);
        return response;
    }

    /// Writes the bytes of the head.
    void write(Answer answer, String date, ByteBuf to) {
        var head = new StringBuilder(USUAL_CHARS);
        head.append("HTTP/1.1 ").append(HttpResponseStatus.valueOf(answer.status())).append("\r\n");
        forEachHeader(
                answer,
                date,
                (name, value) ->
                        head.append(name.toString())
                                .append(": ")
                                .append(value.toString())
                                .append("\r\n"));
        head.append("\r\n");
        // One byte for each character: [Answer] has checked that the text has no other ones.
        to.writeBytes(head.toString().getBytes(StandardCharsets.ISO_8859_1));
    }

    private void forEachHeader(
            Answer answer, String date, BiConsumer<CharSequence, CharSequence> header) {
        header.accept(HttpHeaderNames.CONTENT_TYPE, answer.contentType());
        switch (answer.content()) {
            case Answer.Whole whole ->
                    header.accept(
                            HttpHeaderNames.CONTENT_LENGTH, Integer.toString(whole.bytes().length));
            case Answer.Streamed _ -> {
                if (!isOld && !isHead) {
                    header.accept(HttpHeaderNames.TRANSFER_ENCODING, HttpHeaderValues.CHUNKED);
                }
            }
        }
        header.accept(HttpHeaderNames.DATE, date);
        header.accept(HttpHeaderNames.CACHE_CONTROL, HttpHeaderValues.NO_STORE);
        // Pages of other servers must not embed an answer or run it as a script.
        header.accept("X-Content-Type-Options", "nosniff");
        header.accept("Cross-Origin-Resource-Policy", "same-origin");
        answer.headers().forEach(header);
        if (endsWithConnection(answer)) {
            header.accept(HttpHeaderNames.CONNECTION, HttpHeaderValues.CLOSE);
        } else if (isOld) {
            header.accept(HttpHeaderNames.CONNECTION, HttpHeaderValues.KEEP_ALIVE);
        }
    }
}
