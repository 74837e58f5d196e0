package io.cleave.bench.abuse;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/// A call that waits for its replies. The first reply that is not a success decides how it ended.
class Ask<R> extends Call {
    private final Method<R> method;
    private final CompletableFuture<R> firstReply = new CompletableFuture<>();
    private final CompletableFuture<Ending> ending = new CompletableFuture<>();
    private @Nullable Ending refused;

    Ask(Method<R> method) {
        this.method = method;
    }

    /// Called for each reply as it arrives.
    void reply(R reply) {}

    @Override
    final void message(byte[] message, long arrivedNanos) {
        R reply = method.parse(message);
        Ending said = method.ending(reply);
        if (refused == null && said.isRefused()) {
            refused = said;
        }
        reply(reply);
        firstReply.complete(reply);
    }

    @Override
    void ended(Ending how, long arrivedNanos) {
        Ending said = refused;
        Ending known = said == null || how.isRefused() ? how : said;
        ending.complete(known);
        firstReply.completeExceptionally(new RefusedException(known));
    }

    CompletableFuture<Ending> ending() {
        return ending;
    }

    /// Waits for the first reply, which must be a success.
    R firstReply(Duration limit) throws IOException {
        try {
            R reply = firstReply.get(limit.toMillis(), TimeUnit.MILLISECONDS);
            Ending said = method.ending(reply);
            if (said.isRefused()) {
                throw new RefusedException(said);
            }
            return reply;
        } catch (ExecutionException e) {
            if (e.getCause() instanceof RefusedException known) {
                throw new RefusedException(known.ending());
            }
            throw new IOException(e);
        } catch (TimeoutException e) {
            throw new IOException("no answer within " + limit, e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted", e);
        }
    }

    /// The server refused the request.
    static final class RefusedException extends IOException {
        private static final long serialVersionUID = 1;

        private final transient Ending ending;

        RefusedException(Ending ending) {
            super(ending.status() + ": " + ending.message());
            this.ending = ending;
        }

        Ending ending() {
            return ending;
        }
    }
}
