package io.cleave.bench.abuse;

import java.util.Set;
import java.util.regex.Pattern;

/// How a request ended, or what happened to it.
///
/// @param status the name of the status: of YDB, gRPC, HTTP/2 or HTTP
/// @param message the text of the status
record Ending(String status, String message) {
    static final Ending SUCCESS = new Ending("SUCCESS", "");

    /// The attack ended before the request did.
    static final Ending UNFINISHED = new Ending("unfinished when the attack ended", "");

    /// Counts frames, not requests.
    static final Ending SENT = new Ending("frames sent", "");

    private static final Set<String> ACCEPTED =
            Set.of(SUCCESS.status, UNFINISHED.status, SENT.status);

    /// HTTP statuses of limits. The other statuses answer the request.
    private static final Set<String> HTTP_LIMITS =
            Set.of("HTTP 408", "HTTP 413", "HTTP 429", "HTTP 431", "HTTP 503");

    private static final String RESET = "RST_STREAM ";

    private static final Pattern LIMIT =
            Pattern.compile("limit|at most|maximum|memory|more than", Pattern.CASE_INSENSITIVE);

    static Ending ofGrpc(int code, String message) {
        return new Ending("gRPC " + io.grpc.Status.fromCodeValue(code).getCode(), message);
    }

    /// A reset carries no message.
    static Ending ofReset(int code) {
        return new Ending(RESET + Frame.codeName(code), "");
    }

    static Ending ofGoAway(int code, String message) {
        return new Ending("GOAWAY " + Frame.codeName(code), message);
    }

    static Ending closed(String why) {
        return new Ending("connection closed", why);
    }

    /// Whether the server refused the request.
    boolean isRefused() {
        return status.startsWith("HTTP ")
                ? HTTP_LIMITS.contains(status)
                : !ACCEPTED.contains(status);
    }

    /// Whether the client can tell which limit it reached. Two codes of HTTP/2 say so themselves:
    /// REFUSED_STREAM stands for the announced limit of concurrent calls, and ENHANCE_YOUR_CALM for
    /// too many frames. For pings, gRPC's clients know one fixed text only.
    boolean namesLimit() {
        return status.equals(RESET + "REFUSED_STREAM")
                || status.equals(RESET + "ENHANCE_YOUR_CALM")
                || message.equals("too_many_pings")
                || LIMIT.matcher(message).find();
    }
}
