package io.cleave.wire;

import com.google.errorprone.annotations.concurrent.GuardedBy;

import io.cleave.base.Env;
import io.cleave.query.Cancellation;
import io.grpc.stub.ServerCallStreamObserver;
import io.grpc.stub.StreamObserver;

import java.time.Duration;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/// The replies of one streaming call. Sending waits until the connection takes more, so that a slow
/// reader holds its query up instead of filling the heap.
///
/// Threads: made by the handler, then used by the one thread that runs the request.
final class ReplyStream<R> implements PartedResults.Room {
    private final Env env;
    private final Cancellation cancellation;
    private final ResultMemory memory;
    private final ServerCallStreamObserver<R> replies;
    private final ReentrantLock lock = new ReentrantLock();

    /// The connection takes more, or the client is gone.
    @GuardedBy("lock")
    private final Condition changed = lock.newCondition();

    ReplyStream(Requests requests, StreamObserver<R> replies, Cancellation cancellation) {
        this.env = requests.env();
        this.cancellation = cancellation;
        this.memory = requests.memoryOfResult(cancellation);
        this.replies = (ServerCallStreamObserver<R>) replies;
        this.replies.setOnReadyHandler(this::signal);
        this.replies.setOnCancelHandler(
                () -> {
                    cancellation.cancel();
                    signal();
                });
    }

    /// Sends when the connection takes it; ends the request when the client is gone or its time is
    /// over.
    void send(R reply) {
        awaitReady();
        replies.onNext(reply);
    }

    /// Sends at once: for the first replies of a call, of which there are few.
    void sendNow(R reply) {
        replies.onNext(reply);
    }

    /// The next part is made only when the client has taken the one before.
    @Override
    public long begin(long askedBytes) {
        awaitReady();
        memory.close();
        return memory.partBytes(askedBytes);
    }

    @Override
    public boolean hasRoom(long bytes, boolean first) {
        if (!first) {
            return memory.tryHold(bytes);
        }
        memory.hold(bytes);
        return true;
    }

    void complete() {
        memory.close();
        replies.onCompleted();
    }

    private void awaitReady() {
        if (replies.isReady()) {
            return;
        }
        lock.lock();
        try {
            while (!replies.isReady()) {
                cancellation.check();
                env.await(changed, Duration.ofNanos(Math.max(1, cancellation.remainingNanos())));
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            cancellation.cancel();
            cancellation.check();
        } finally {
            lock.unlock();
        }
    }

    private void signal() {
        lock.lock();
        try {
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }
}
