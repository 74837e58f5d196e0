package io.cleave.http;

import org.jspecify.annotations.Nullable;

import java.util.HashMap;
import java.util.Map;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.function.Supplier;

/// Maps path and method to a route. A route for GET also answers HEAD. The routes are added before
/// the server starts and do not change afterwards.
public final class HttpRoutes {
    private final Map<String, Map<String, HttpRoute>> byPath = new HashMap<>();
    private Function<String, String> notFound = what -> "there is no " + what + "\n";

    /// Runs on a virtual thread and may block.
    @FunctionalInterface
    public interface Handler {
        Answer answer(Request request);
    }

    /// Whether a request has to name this server in its Host header.
    public enum Host {
        CHECKED,
        /// For answers that reveal nothing, and may be requested by any name.
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

    /// Sets the text for paths that do not exist. The function is called with, for example, `GET
    /// /path`.
    public HttpRoutes otherwise(Function<String, String> text) {
        notFound = text;
        return this;
    }

    private HttpRoutes add(String method, String path, HttpRoute route) {
        var previous = byPath.computeIfAbsent(path, _ -> new HashMap<>()).put(method, route);
        if (previous != null) {
            throw new IllegalArgumentException("two routes for " + method + " " + path);
        }
        return this;
    }

    @Nullable HttpRoute find(String method, String path) {
        Map<String, HttpRoute> methods = byPath.getOrDefault(path, Map.of());
        return methods.get(method.equals("HEAD") ? "GET" : method);
    }

    /// The answer to a request for which [#find] finds no route.
    Answer missing(String method, String path) {
        var methods = new TreeSet<>(byPath.getOrDefault(path, Map.of()).keySet());
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
