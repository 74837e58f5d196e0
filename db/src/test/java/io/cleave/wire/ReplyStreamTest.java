package io.cleave.wire;

import static org.assertj.core.api.Assertions.assertThat;

import io.cleave.base.Env;
import io.cleave.base.SystemEnv;
import io.cleave.memory.MemoryBudget;
import io.cleave.query.Cancellation;
import io.cleave.testkit.ForwardingEnv;
import io.grpc.stub.ServerCallStreamObserver;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;

class ReplyStreamTest {
    private final Replies replies = new Replies();
    private final BusyEnv env = new BusyEnv(new SystemEnv());

    /// A run whose client does not read looks whether to go on, and may have to wait for a
    /// processor there.
    @Test
    @Timeout(20)
    void theConnectionsThreadNeverWaitsForARunThatWaitsForAProcessor() {
        var stream =
                new ReplyStream<String>(
                        new Requests(env, new MemoryBudget(1L << 30, env)),
                        replies,
                        Cancellation.byDefault(env));
        env.whileItWaits = replies::becomeReady;
        stream.send("a");
        assertThat(replies.sent).containsExactly("a");
    }

    /// Every processor is in use until something else has happened.
    private static final class BusyEnv extends ForwardingEnv {
        private final AtomicLong passedNanos = new AtomicLong();
        private Runnable whileItWaits = () -> {};

        BusyEnv(Env env) {
            super(env);
        }

        @Override
        public long nanoTime() {
            return super.nanoTime() + passedNanos.addAndGet(Duration.ofMillis(50).toNanos());
        }

        @Override
        public void yieldProcessor() {
            Thread other = Thread.ofPlatform().start(whileItWaits);
            try {
                other.join();
            } catch (InterruptedException e) {
                throw new IllegalStateException("the connection's thread waits", e);
            }
        }
    }

    private static final class Replies extends ServerCallStreamObserver<String> {
        private final List<String> sent = new ArrayList<>();
        private volatile boolean ready;
        private Runnable onReady = () -> {};

        void becomeReady() {
            ready = true;
            onReady.run();
        }

        @Override
        public boolean isReady() {
            return ready;
        }

        @Override
        public void setOnReadyHandler(Runnable handler) {
            onReady = handler;
        }

        @Override
        public void onNext(String reply) {
            sent.add(reply);
        }

        @Override
        public boolean isCancelled() {
            return false;
        }

        @Override
        public void setOnCancelHandler(Runnable handler) {}

        @Override
        public void setCompression(String compression) {}

        @Override
        public void request(int count) {}

        @Override
        public void setMessageCompression(boolean enable) {}

        @Override
        public void disableAutoInboundFlowControl() {}

        @Override
        public void onError(Throwable thrown) {}

        @Override
        public void onCompleted() {}
    }
}
