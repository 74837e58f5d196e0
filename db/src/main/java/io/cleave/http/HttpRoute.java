package io.cleave.http;

import java.util.function.Supplier;

/// How a request is answered; see [HttpRoutes].
sealed interface HttpRoute {
    HttpRoutes.Host host();

    /// Limit of the body.
    default int maxBodyBytes() {
        return 0;
    }

    record Immediate(HttpRoutes.Host host, Supplier<Answer> answer) implements HttpRoute {}

    record Shared(HttpRoutes.Host host, Supplier<Answer> answer) implements HttpRoute {}

    record Handled(int maxBodyBytes, HttpRoutes.Handler handler) implements HttpRoute {
        @Override
        public HttpRoutes.Host host() {
            return HttpRoutes.Host.CHECKED;
        }
    }
}
