package io.cleave.yt;

import io.cleave.base.Bytes;
import io.cleave.http.Answer;
import io.cleave.http.Exchange;
import io.cleave.http.Request;
import io.cleave.value.YsonNode;
import io.cleave.yt.error.YtCodes;
import io.cleave.yt.error.YtError;
import io.cleave.yt.error.YtException;
import io.cleave.yt.format.DataFormat;

import java.io.IOException;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// Routes requests by path. Answers the requests that are not commands: the lists of versions and
/// commands, and the requests with which clients look for servers.
final class ServiceRequests {
    /// The version of YTsaurus whose API is implemented.
    static final String VERSION = "25.2.0-cleave";

    private static final Pattern API = Pattern.compile("/api/v([34])(?:/([A-Za-z_]+))?/?");
    private static final String JSON = "application/json";

    private final CommandTable commands;
    private final CommandHandler handler;
    private final ProxyCallers callers;
    private final long startedMicros;

    ServiceRequests(
            CommandTable commands,
            CommandHandler handler,
            ProxyCallers callers,
            long startedMicros) {
        this.commands = commands;
        this.handler = handler;
        this.callers = callers;
        this.startedMicros = startedMicros;
    }

    /// Answers a short command on the network thread; empty if the request is not a short command.
    Optional<Answer> prompt(Request request) {
        return handler.prompt(request);
    }

    void handle(Exchange exchange) throws IOException {
        try {
            answer(exchange);
        } catch (YtException e) {
            handler.fail(exchange, 400, e.error());
        }
    }

    private void answer(Exchange exchange) throws IOException {
        Request request = exchange.request();
        Matcher api = API.matcher(request.path());
        if (!api.matches()) {
            exchange.answer(service(request));
            return;
        }
        int version = Integer.parseInt(api.group(1));
        if (api.group(2) == null) {
            exchange.answer(json(commands.list(version)));
            return;
        }
        String name = api.group(2).toLowerCase(Locale.ROOT);
        if (name.equals("discover_proxies")) {
            exchange.answer(proxies(request));
        } else {
            handler.handle(exchange, version, name);
        }
    }

    private Answer service(Request request) {
        return switch (request.path()) {
            case "/api", "/api/" -> json(YsonNode.texts(List.of("v3", "v4")));
            case "/hosts", "/hosts/" -> hosts(request);
            case "/hosts/all" -> json(YsonNode.list(hostEntry(request)));
            case "/version" -> Answer.text(200, VERSION);
            case "/ping" -> Answer.text(200, "");
            case "/service" ->
                    json(
                            YsonNode.map()
                                    .with("version", VERSION)
                                    .with("start_time", instant(startedMicros))
                                    .build());
            case "/auth/whoami" ->
                    json(
                            YsonNode.map()
                                    .with("login", callers.of(request).user())
                                    .with("realm", "cleave")
                                    .build());
            case "/" ->
                    Answer.text(
                            200,
                            "YTsaurus' HTTP API of Cleave. For the command line: export YT_PROXY=%s\n"
                                    .formatted(host(request)));
            default ->
                    ErrorAnswer.of(
                            404,
                            YtError.of(
                                    YtCodes.GENERIC,
                                    "There is no %s; see docs/yt.md"
                                            .formatted(shown(request.path()))));
        };
    }

    private static String instant(long micros) {
        return Instant.EPOCH.plus(micros, ChronoUnit.MICROS).toString();
    }

    private static String shown(String path) {
        return path.length() <= 100 ? path : path.substring(0, 100) + "...";
    }

    /// The name by which this client reaches this server. It is correct even behind a port mapping.
    /// It has the form of a host, because the request was checked.
    static String host(Request request) {
        return request.header("Host").orElse("localhost");
    }

    private static Answer hosts(Request request) {
        boolean isRpc = isAskedFor(request, "rpc");
        if (request.header("Accept").filter(type -> type.startsWith("text/plain")).isPresent()) {
            return Answer.text(200, isRpc ? "" : host(request) + "\n");
        }
        return json(isRpc ? YsonNode.list() : YsonNode.texts(List.of(host(request))));
    }

    private static YsonNode hostEntry(Request request) {
        return YsonNode.map()
                .with("host", host(request))
                .with("name", host(request))
                .with("role", "data")
                .with("banned", false)
                .with("dead", false)
                .build();
    }

    /// Whether the client looks for this kind of server: `http`, `rpc` or none. There are no
    /// servers for the RPC protocol.
    private static boolean isAskedFor(Request request, String kind) {
        try {
            return request.rawQuery()
                    .map(QueryString::parse)
                    .flatMap(query -> query.member("type"))
                    .flatMap(YsonNode::string)
                    .filter(kind::equals)
                    .isPresent();
        } catch (YtException _) {
            return false;
        }
    }

    /// Unlike other answers, this one is YSON unless JSON is asked for.
    private static Answer proxies(Request request) {
        Optional<DataFormat> asked = request.header("X-YT-Output-Format").map(DataFormat::parse);
        DataFormat format = asked.orElse(DataFormat.YSON_TEXT);
        boolean isHttp = isAskedFor(request, "http");
        YsonNode list = isHttp ? YsonNode.texts(List.of(host(request))) : YsonNode.list();
        Bytes body = format.writeValue(YsonNode.map().with("proxies", list).build());
        return Answer.of(200, format.contentType(), body.array());
    }

    private static Answer json(YsonNode value) {
        return json(DataFormat.JSON.writeValue(value));
    }

    private static Answer json(Bytes body) {
        return Answer.of(200, JSON, body.array());
    }
}
