package io.cleave.http;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.Supplier;

/// Maps path and method to a route. A route for GET also answers HEAD. The routes are added before
/// the server starts and do not change afterwards.
public final class HttpRoutes {
    /// The methods of a route for all methods. OPTIONS is not one of them: a browser uses it to ask
    /// whether a page of another server may send a request. The answer is always 405.
    private static final Set<String> ALL_METHODS =
            Set.of("DELETE", "GET", "HEAD", "PATCH", "POST", "PUT");

    private final Map<String, Map<String, HttpRoute>> byPath = new HashMap<>();
    private final TreeMap<String, HttpRoute> byPrefix = new TreeMap<>();
    private Refusal refusal = (status, why) -> Answer.text(status, why + "\n");
    private Function<String, String> notFound = what -> "there is no " + what + "\n";

    /// A handler. It runs on a virtual thread and may block.
    @FunctionalInterface
    public interface Handler {
        Answer answer(Request request);
    }

    /// A handler that answers the exchange before it returns. It runs on a virtual thread and may
    /// block.
    @FunctionalInterface
    public interface ExchangeHandler {
        /// An [IOException] means that the client is gone or too slow.
        void handle(Exchange exchange) throws IOException;
    }

    /// A handler on a network thread. It must be quick and must not wait, because other connections
    /// wait for it.
    @FunctionalInterface
    public interface PromptHandler {
        /// A small answer; empty if the request is to be handled on a thread of its own.
        Optional<Answer> answer(Request request);
    }

    /// The form of the answer to a request that does not reach a handler. Such a request is not
    /// valid, not allowed, too large or too late, or the server is overloaded.
    @FunctionalInterface
    public interface Refusal {
        Answer answer(int status, String why);
    }

    /// Whether a request has to name this server in its Host header.
    public enum Host {
        CHECKED,
        /// For answers that reveal nothing. Requests may use any name.
        ANY
    }

    /// Answers GET on a network thread, outside all limits. `answer` must not block.
    public HttpRoutes immediate(String path, Host host, Supplier<Answer> answer) {
        return add("GET", path, new HttpRoute.Immediate(host, answer));
    }

    /// Answers GET outside all limits. `answer` may take some time, but only one run is active at a
    /// time: requests that arrive during a run share the answer of the next run.
    public HttpRoutes shared(String path, Host host, Supplier<Answer> answer) {
        return add("GET", path, new HttpRoute.Shared(host, answer));
    }

    /// Runs a handler, within the limit of requests. Longer bodies are refused.
    public HttpRoutes handled(String method, String path, int maxBodyBytes, Handler handler) {
        return add(method, path, new HttpRoute.Handled(maxBodyBytes, handler));
    }

    /// Runs a handler for every method (but OPTIONS) and every path that begins with `prefix`,
    /// unless another route has the path or a longer prefix of it. The handler may write its answer
    /// while it works. It must refuse a GET that changes anything, unless
    /// [Request#hasProgramHeader] is true.
    public HttpRoutes exchanged(String prefix, int maxBodyBytes, ExchangeHandler handler) {
        return exchanged(prefix, maxBodyBytes, _ -> Optional.empty(), _ -> false, handler);
    }

    /// Like the method above, but a request with a small body is first given to `prompt`. If
    /// `readsArriving` is true for the path, the handler of a request with a long body begins
    /// before the whole body has arrived. Its answer is sent after the body has arrived.
    public HttpRoutes exchanged(
            String prefix,
            int maxBodyBytes,
            PromptHandler prompt,
            Predicate<String> readsArriving,
            ExchangeHandler handler) {
        var route = new HttpRoute.Exchanged(maxBodyBytes, prompt, readsArriving, handler);
        if (byPrefix.put(prefix, route) != null) {
            throw new IllegalArgumentException("two routes for " + prefix);
        }
        return this;
    }

    /// Sets the text for paths that do not exist. The function is called with, for example, `GET
    /// /path`.
    public HttpRoutes otherwise(Function<String, String> text) {
        notFound = text;
        return this;
    }

    /// Sets the form of refusals, for clients that do not read plain text.
    public HttpRoutes refused(Refusal form) {
        refusal = form;
        return this;
    }

    /// The refusal of a request. If clients may try again, it says how long they are to wait.
    Answer refusal(int status, String why) {
        Answer answer = refusal.answer(status, why);
        return status == 503 ? answer.with("Retry-After", "1") : answer;
    }

    private HttpRoutes add(String method, String path, HttpRoute route) {
        var previous = byPath.computeIfAbsent(path, _ -> new HashMap<>()).put(method, route);
        if (previous != null) {
            throw new IllegalArgumentException("two routes for " + method + " " + path);
        }
        return this;
    }

    @Nullable HttpRoute find(String method, String path) {
        Map<String, HttpRoute> methods = byPath.get(path);
        if (methods != null) {
            return methods.get(method.equals("HEAD") ? "GET" : method);
        }
        return ALL_METHODS.contains(method) ? findByPrefix(path) : null;
    }

    private @Nullable HttpRoute findByPrefix(String path) {
        // All prefixes of the path are before it, and the longest prefix is the last of them.
        for (var entry : byPrefix.headMap(path, true).descendingMap().entrySet()) {
            if (path.startsWith(entry.getKey())) {
                return entry.getValue();
            }
        }
        return null;
    }

    /// The answer to a request for which [#find] finds no route.
    Answer missing(String method, String path) {
        var methods = new TreeSet<>(byPath.getOrDefault(path, Map.of()).keySet());
        if (methods.isEmpty() && findByPrefix(path) != null) {
            methods.addAll(ALL_METHODS);
        }
        if (methods.isEmpty()) {
            return Answer.text(404, notFound.apply(RequestCheck.shown(method + " " + path)));
        }
        if (methods.contains("GET")) {
            methods.add("HEAD");
        }
        String allowed = String.join(", ", methods);
        return Answer.text(405, path + " accepts " + allowed + ", not " + method + "\n")
                .with("Allow", allowed);
    }
}
