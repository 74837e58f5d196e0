package io.cleave.http;

import java.util.function.Predicate;
import java.util.function.Supplier;

/// How a request is answered; see [HttpRoutes].
sealed interface HttpRoute {
    HttpRoutes.Host host();

    /// Limit of the body.
    default int maxBodyBytes() {
        return 0;
    }

    /// Which requests are refused because a web page may have caused them.
    default RequestCheck.PageRule pageRule() {
        return RequestCheck.PageRule.OWN_HEADER;
    }

    record Immediate(HttpRoutes.Host host, Supplier<Answer> answer) implements HttpRoute {}

    record Shared(HttpRoutes.Host host, Supplier<Answer> answer) implements HttpRoute {}

    record Handled(int maxBodyBytes, HttpRoutes.Handler handler) implements HttpRoute {
        @Override
        public HttpRoutes.Host host() {
            return HttpRoutes.Host.CHECKED;
        }
    }

    /// A route for all paths below a prefix.
    ///
    /// @param readsArriving whether the handler reads a long body while it arrives, by the path of
    ///   the request
    record Exchanged(
            int maxBodyBytes,
            HttpRoutes.PromptHandler prompt,
            Predicate<String> readsArriving,
            HttpRoutes.ExchangeHandler handler)
            implements HttpRoute {
        @Override
        public HttpRoutes.Host host() {
            return HttpRoutes.Host.CHECKED;
        }

        @Override
        public RequestCheck.PageRule pageRule() {
            return RequestCheck.PageRule.NO_FORM;
        }
    }
}
