package io.cleave.bench.abuse;

import java.util.Set;
import java.util.regex.Pattern;

/// How a request ended, or what became of it.
///
/// @param status the name of the status: of YDB, of gRPC, of HTTP/2 or of HTTP
/// @param message what was said with it
record Ending(String status, String message) {
    static final Ending SUCCESS = new Ending("SUCCESS", "");

    /// The attacker's time was over first.
    static final Ending UNFINISHED = new Ending("unfinished when the attack ended", "");

    /// Counts frames, not requests.
    static final Ending SENT = new Ending("frames sent", "");

    private static final Set<String> ACCEPTED =
            Set.of(SUCCESS.status, UNFINISHED.status, SENT.status);

    /// Of HTTP, those that limits have; the others answer the request.
    private static final Set<String> HTTP_LIMITS =
            Set.of("HTTP 408", "HTTP 413", "HTTP 429", "HTTP 431", "HTTP 503");

    private static final String RESET = "RST_STREAM ";

    private static final Pattern LIMIT =
            Pattern.compile("limit|at most|maximum|memory|more than", Pattern.CASE_INSENSITIVE);

    static Ending ofGrpc(int code, String message) {
        return new Ending("gRPC " + io.grpc.Status.fromCodeValue(code).getCode(), message);
    }

    /// A reset has no place for a message.
    static Ending ofReset(int code) {
        return new Ending(RESET + Frame.codeName(code), "");
    }

    static Ending ofGoAway(int code, String message) {
        return new Ending("GOAWAY " + Frame.codeName(code), message);
    }

    static Ending closed(String why) {
        return new Ending("connection closed", why);
    }

    /// Whether the server said no.
    boolean isRefused() {
        return status.startsWith("HTTP ")
                ? HTTP_LIMITS.contains(status)
                : !ACCEPTED.contains(status);
    }

    /// Whether whoever reads it knows which limit it was. Two codes of HTTP/2 say so themselves:
    /// that of the calls at once, which the server has announced, and that of too many frames. And
    /// gRPC's clients know the word for pings, and no other.
    boolean namesLimit() {
        return status.equals(RESET + "REFUSED_STREAM")
                || status.equals(RESET + "ENHANCE_YOUR_CALM")
                || message.equals("too_many_pings")
                || LIMIT.matcher(message).find();
    }
}
