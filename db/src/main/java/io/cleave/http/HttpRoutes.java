package io.cleave.http;

import org.jspecify.annotations.Nullable;

import java.util.HashMap;
import java.util.Map;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.function.Supplier;

/// Which request goes where, by path and method. A route for GET answers HEAD too. Filled before
/// the server starts, and not changed afterwards.
public final class HttpRoutes {
    private final Map<String, Map<String, HttpRoute>> byPath = new HashMap<>();
    private Function<String, String> notFound = what -> "there is no " + what + "\n";

    /// Runs on a virtual thread, and may wait.
    @FunctionalInterface
    public interface Handler {
        Answer answer(Request request);
    }

    /// Whether a request has to name this server in its Host header.
    public enum Host {
        CHECKED,
        /// For what may be asked by any name, because it shows nothing of anybody.
        ANY
    }

    /// Answers GET on a thread of the network, outside all limits: it must not wait.
    public HttpRoutes immediate(String path, Host host, Supplier<Answer> answer) {
        return add("GET", path, new HttpRoute.Immediate(host, answer));
    }

    /// Answers GET outside all limits. It may take some time, but runs once at a time: those who
    /// ask while it runs share the next answer.
    public HttpRoutes shared(String path, Host host, Supplier<Answer> answer) {
        return add("GET", path, new HttpRoute.Shared(host, answer));
    }

    /// Runs a handler, within the bound on requests. Longer bodies are refused.
    public HttpRoutes handled(String method, String path, int maxBodyBytes, Handler handler) {
        return add(method, path, new HttpRoute.Handled(maxBodyBytes, handler));
    }

    /// The text for whoever asks for what is not there; it is given `GET /path`.
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

    /// For a request that [#find] finds nothing for.
    Answer missing(String method, String path) {
        var methods = new TreeSet<>(byPath.getOrDefault(path, Map.of()).keySet());
        if (methods.isEmpty()) {
            return Answer.text(404, notFound.apply(RequestCheck.shown(method + " " + path)));
        }
        if (methods.contains("GET")) {
            methods.add("HEAD");
        }
        String allowed = String.join(", ", methods);
        return Answer.text(405, path + " is asked by " + allowed + ", and not by " + method + "\n")
                .with("Allow", allowed);
    }
}
