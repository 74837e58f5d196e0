package io.cleave.http;

import io.grpc.netty.shaded.io.netty.handler.codec.http.HttpHeaderNames;
import io.grpc.netty.shaded.io.netty.handler.codec.http.HttpHeaders;
import io.grpc.netty.shaded.io.netty.handler.codec.http.HttpRequest;
import io.grpc.netty.shaded.io.netty.handler.codec.http.HttpVersion;

import org.jspecify.annotations.Nullable;

import java.net.InetAddress;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;

/// Checks the head of a request before any of the body is read.
///
/// It also protects against web pages that use a developer's browser to reach this port. A page can
/// make the browser send a POST. It cannot add `Content-Type: application/json` or [#OWN_HEADER]
/// unless a CORS preflight allows it, and the server refuses preflights. A page whose host name was
/// made to resolve to this machine sends that name as Host, which is refused too.
final class RequestCheck {
    /// The header that the command line sends with a POST.
    static final String OWN_HEADER = "X-Cleave";

    /// The prefix of the headers that clients of YTsaurus send.
    private static final String YT_HEADERS = "X-YT-";

    private static final String JSON = "application/json";
    private static final int MAX_LENGTH_DIGITS = 15;

    /// The types of bodies that any page may send to any server.
    private static final Set<String> FORM_TYPES =
            Set.of("text/plain", "multipart/form-data", "application/x-www-form-urlencoded");

    private final HttpRoutes routes;
    private final HostNames hosts;

    RequestCheck(HttpRoutes routes, HostNames hosts) {
        this.routes = routes;
        this.hosts = hosts;
    }

    /// How a request proves that no page of another server has caused it. Host and Origin are
    /// checked as well.
    enum PageRule {
        /// A request other than GET has the type `application/json` or the header [#OWN_HEADER].
        OWN_HEADER,
        /// The rule for clients that others have written, and that send neither of the two. A page
        /// of another server is recognized in three ways. The browser says so with
        /// `Sec-Fetch-Site`, the body has the type of a form, or the request has an Origin.
        NO_FORM
    }

    sealed interface Verdict {}

    /// Answer with this. `endsConnection` is set if the beginning of the next request is unknown,
    /// or if it is not worth reading up to it.
    record Refused(Answer answer, boolean endsConnection) implements Verdict {}

    /// Answer with this route once the body has arrived.
    record Accepted(HttpRoute route, String path, Optional<String> rawQuery, BodyLength body)
            implements Verdict {}

    /// A known length, or chunks whose total length is not known.
    record BodyLength(boolean isChunked, long bytes) {
        boolean isEmpty() {
            return !isChunked && bytes == 0;
        }
    }

    Verdict look(HttpRequest request, InetAddress local) {
        try {
            checkVersion(request);
            BodyLength body = bodyLength(request);
            Target target = target(request);
            return look(request, target, body, local);
        } catch (BadRequestException e) {
            return new Refused(refusal(e), true);
        }
    }

    private Verdict look(HttpRequest request, Target target, BodyLength body, InetAddress local) {
        String method = request.method().name();
        HttpRoute route = routes.find(method, target.path());
        if (route == null) {
            return new Refused(routes.missing(method, target.path()), !body.isEmpty());
        }
        Optional<String> foreign =
                route.host() == HttpRoutes.Host.ANY
                        ? Optional.empty()
                        : foreign(method, request.headers(), local, route.pageRule());
        if (foreign.isPresent()) {
            return new Refused(routes.refusal(403, foreign.get()), !body.isEmpty());
        }
        if (body.bytes() > route.maxBodyBytes()
                || (body.isChunked() && route.maxBodyBytes() == 0)) {
            return refused(413, bodyTooLarge(route.maxBodyBytes()));
        }
        String expectation = request.headers().get(HttpHeaderNames.EXPECT);
        if (expectation != null && !expectation.equalsIgnoreCase("100-continue")) {
            return refused(417, "only 'Expect: 100-continue' is supported");
        }
        return new Accepted(route, target.path(), target.rawQuery(), body);
    }

    private Refused refused(int status, String why) {
        return new Refused(routes.refusal(status, why), true);
    }

    Answer refusal(BadRequestException e) {
        return routes.refusal(e.status(), String.valueOf(e.getMessage()));
    }

    /// The refusal of a request for which the server has no room.
    Answer overloaded(String why) {
        return routes.refusal(503, why);
    }

    static String bodyTooLarge(long limit) {
        return limit == 0
                ? "this request takes no body"
                : "the body of this request may have up to %d bytes".formatted(limit);
    }

    private static void checkVersion(HttpRequest request) throws BadRequestException {
        HttpVersion version = request.protocolVersion();
        if (!version.equals(HttpVersion.HTTP_1_1) && !version.equals(HttpVersion.HTTP_1_0)) {
            throw new BadRequestException(
                    505, "this port supports HTTP/1.1 and HTTP/1.0, not " + version.text());
        }
        int hosts = request.headers().getAll(HttpHeaderNames.HOST).size();
        if (hosts > 1 || (hosts == 0 && version.equals(HttpVersion.HTTP_1_1))) {
            throw new BadRequestException(400, "a request must have one Host header, not " + hosts);
        }
    }

    private static BodyLength bodyLength(HttpRequest request) throws BadRequestException {
        List<String> encodings = request.headers().getAll(HttpHeaderNames.TRANSFER_ENCODING);
        List<String> lengths = request.headers().getAll(HttpHeaderNames.CONTENT_LENGTH);
        if (encodings.isEmpty()) {
            return new BodyLength(false, lengths.isEmpty() ? 0 : length(lengths));
        }
        if (!lengths.isEmpty()) {
            throw new BadRequestException(
                    400, "a request must not have both Content-Length and Transfer-Encoding");
        }
        if (request.protocolVersion().equals(HttpVersion.HTTP_1_0)) {
            throw new BadRequestException(400, "HTTP/1.0 does not allow Transfer-Encoding");
        }
        if (encodings.size() > 1 || !encodings.getFirst().equalsIgnoreCase("chunked")) {
            throw new BadRequestException(501, "the only supported Transfer-Encoding is 'chunked'");
        }
        return new BodyLength(true, 0);
    }

    private static long length(List<String> lengths) throws BadRequestException {
        if (lengths.size() > 1 || !isNumber(lengths.getFirst())) {
            throw new BadRequestException(400, "Content-Length must be one number");
        }
        String digits = lengths.getFirst();
        if (digits.length() > MAX_LENGTH_DIGITS) {
            throw new BadRequestException(413, "Content-Length " + digits + " is too large");
        }
        return Long.parseLong(digits);
    }

    private static boolean isNumber(String text) {
        for (int index = 0; index < text.length(); index++) {
            if (text.charAt(index) < '0' || text.charAt(index) > '9') {
                return false;
            }
        }
        return !text.isEmpty();
    }

    private record Target(String path, Optional<String> rawQuery) {}

    /// `/path?query`, or `http://host/path?query` with the host of the Host header.
    private static Target target(HttpRequest request) throws BadRequestException {
        String text = request.uri();
        if (!text.startsWith("/")) {
            String lower = text.toLowerCase(Locale.ROOT);
            int scheme = lower.startsWith("http://") ? 7 : lower.startsWith("https://") ? 8 : 0;
            int path = text.indexOf('/', scheme);
            String host = request.headers().get(HttpHeaderNames.HOST, "");
            if (scheme == 0 || path < 0 || !text.substring(scheme, path).equalsIgnoreCase(host)) {
                throw new BadRequestException(
                        400,
                        "the URI of a request must be a path, or begin with http:// and the host");
            }
            text = text.substring(path);
        }
        if (text.indexOf('#') >= 0) {
            throw new BadRequestException(400, "the URI of a request must not have a fragment");
        }
        int query = text.indexOf('?');
        return query < 0
                ? new Target(text, Optional.empty())
                : new Target(text.substring(0, query), Optional.of(text.substring(query + 1)));
    }

    /// Why the request may come from a foreign web page; empty if it does not.
    private Optional<String> foreign(
            String method, HttpHeaders headers, InetAddress local, PageRule rule) {
        // Browsers always send Host, and checkVersion requires it in HTTP/1.1.
        String host = headers.get(HttpHeaderNames.HOST);
        if (host != null && !hosts.fit(host, local)) {
            return Optional.of(
                    "Host '%s' is not a name of this server; use localhost, the machine's name or its address, or start the server with --http-host NAME"
                            .formatted(shown(host)));
        }
        List<String> origins = headers.getAll(HttpHeaderNames.ORIGIN);
        if (!origins.isEmpty() && (origins.size() > 1 || !isSame(origins.getFirst(), host))) {
            return Optional.of(
                    "Origin '%s' is not this server; requests from pages of other servers are refused"
                            .formatted(shown(origins.getFirst())));
        }
        boolean isRead = method.equals("GET") || method.equals("HEAD");
        return switch (rule) {
            case OWN_HEADER ->
                    isRead || headers.contains(OWN_HEADER) || isJson(headers)
                            ? Optional.empty()
                            : Optional.of(
                                    "a %s needs the header 'Content-Type: application/json' or '%s: 1'"
                                            .formatted(method, OWN_HEADER));
            case NO_FORM -> ofForm(method, headers);
        };
    }

    private static Optional<String> ofForm(String method, HttpHeaders headers) {
        for (String site : headers.getAll("Sec-Fetch-Site")) {
            if (!site.equalsIgnoreCase("same-origin") && !site.equalsIgnoreCase("none")) {
                return Optional.of(
                        "a page of another server caused this request (Sec-Fetch-Site: %s); such requests are refused"
                                .formatted(shown(site)));
            }
        }
        for (String type : headers.getAll(HttpHeaderNames.CONTENT_TYPE)) {
            String bare = type.split(";", 2)[0].strip().toLowerCase(Locale.ROOT);
            if (FORM_TYPES.contains(bare) && !hasProgramHeader(headers)) {
                return Optional.of(
                        "a %s with 'Content-Type: %s' may come from a form of any web page; send another type, or the header '%s: 1'"
                                .formatted(method, shown(bare), OWN_HEADER));
            }
        }
        return Optional.empty();
    }

    /// Whether there is a header that a browser sends for a page of another server only with this
    /// server's permission.
    static boolean hasProgramHeader(HttpHeaders headers) {
        return headers.contains(OWN_HEADER)
                || headers.names().stream()
                        .anyMatch(
                                name ->
                                        name.regionMatches(
                                                true, 0, YT_HEADERS, 0, YT_HEADERS.length()));
    }

    /// Shortens a value of the request for a message.
    static String shown(String value) {
        return value.length() <= 100 ? value : value.substring(0, 100) + "…";
    }

    private static boolean isJson(HttpHeaders headers) {
        String type = headers.get(HttpHeaderNames.CONTENT_TYPE, "");
        return type.split(";", 2)[0].strip().equalsIgnoreCase(JSON);
    }

    /// Whether an origin, such as `http://host:port`, names this Host. The default port may be
    /// present or not.
    private static boolean isSame(String origin, @Nullable String host) {
        String lower = origin.toLowerCase(Locale.ROOT);
        if (host == null) {
            return false;
        }
        return lower.startsWith("https://")
                ? isSame(lower.substring(8), host, ":443")
                : lower.startsWith("http://") && isSame(lower.substring(7), host, ":80");
    }

    private static boolean isSame(String authority, String host, String port) {
        return without(authority, port).equals(without(host.toLowerCase(Locale.ROOT), port));
    }

    private static String without(String authority, String port) {
        return authority.endsWith(port)
                ? authority.substring(0, authority.length() - port.length())
                : authority;
    }
}
