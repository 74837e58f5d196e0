package io.cleave.http;

import io.grpc.netty.shaded.io.netty.handler.codec.http.DefaultHttpResponse;
import io.grpc.netty.shaded.io.netty.handler.codec.http.HttpHeaderNames;
import io.grpc.netty.shaded.io.netty.handler.codec.http.HttpHeaderValues;
import io.grpc.netty.shaded.io.netty.handler.codec.http.HttpHeaders;
import io.grpc.netty.shaded.io.netty.handler.codec.http.HttpResponse;
import io.grpc.netty.shaded.io.netty.handler.codec.http.HttpResponseStatus;
import io.grpc.netty.shaded.io.netty.handler.codec.http.HttpVersion;

import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.temporal.ChronoUnit;

/// The status line and the headers of an answer.
///
/// @param isOld the client speaks HTTP/1.0
/// @param isHead the client wants only the head, and no body
/// @param keepAlive the connection stays open for another request
record ResponseHead(boolean isOld, boolean isHead, boolean keepAlive) {
    /// Whether the connection closes after this answer. In HTTP/1.0, only the end of the connection
    /// can mark the end of a streamed body.
    boolean endsWithConnection(Answer answer) {
        return !keepAlive || (isOld && answer.content() instanceof Answer.Streamed);
    }

    HttpResponse of(Answer answer, long wallMicros) {
        var response =
                new DefaultHttpResponse(
                        HttpVersion.HTTP_1_1, HttpResponseStatus.valueOf(answer.status()));
        HttpHeaders headers = response.headers();
        headers.set(HttpHeaderNames.CONTENT_TYPE, answer.contentType());
        switch (answer.content()) {
            case Answer.Whole whole ->
                    headers.set(HttpHeaderNames.CONTENT_LENGTH, whole.bytes().length);
            case Answer.Streamed _ -> {
                if (!isOld && !isHead) {
                    headers.set(HttpHeaderNames.TRANSFER_ENCODING, HttpHeaderValues.CHUNKED);
                }
            }
        }
        headers.set(HttpHeaderNames.DATE, date(wallMicros));
        headers.set(HttpHeaderNames.CACHE_CONTROL, HttpHeaderValues.NO_STORE);
        // Pages of other servers must not embed an answer or run it as a script.
        headers.set("X-Content-Type-Options", "nosniff");
        headers.set("Cross-Origin-Resource-Policy", "same-origin");
        answer.headers().forEach(headers::set);
        if (endsWithConnection(answer)) {
            headers.set(HttpHeaderNames.CONNECTION, HttpHeaderValues.CLOSE);
        } else if (isOld) {
            headers.set(HttpHeaderNames.CONNECTION, HttpHeaderValues.KEEP_ALIVE);
        }
        return response;
    }

    private static String date(long wallMicros) {
        return DateTimeFormatter.RFC_1123_DATE_TIME.format(
                Instant.EPOCH.plus(wallMicros, ChronoUnit.MICROS).atOffset(ZoneOffset.UTC));
    }
}
