package io.cleave.wire;

import com.google.errorprone.annotations.concurrent.GuardedBy;

import io.cleave.base.Env;
import io.cleave.query.Cancellation;
import io.grpc.stub.ServerCallStreamObserver;
import io.grpc.stub.StreamObserver;

import java.time.Duration;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/// The replies of one streaming call. Sending waits until the connection accepts more, so that a
/// slow reader delays its own query and does not fill the heap.
///
/// Threads: created by the handler, then used only by the thread that runs the request.
final class ReplyStream<R> implements PartedResults.Room {
    private final Env env;
    private final Cancellation cancellation;
    private final ResultMemory memory;
    private final ServerCallStreamObserver<R> replies;
    private final ReentrantLock lock = new ReentrantLock();

    /// Signalled when the connection accepts more, or the client is gone.
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

    /// Waits until the connection accepts the reply, and sends it. Ends the request if the client
    /// is gone or the deadline has passed.
    void send(R reply) {
        awaitReady();
        replies.onNext(reply);
        // From here on the connection accounts for the reply's memory.
        memory.close();
    }

    /// Sends without waiting; for the last reply of a call that failed.
    void sendNow(R reply) {
        replies.onNext(reply);
    }

    /// Waits, so that the next part is made only after the client has taken the part before.
    @Override
    public long begin(long askedBytes) {
        awaitReady();
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
        try {
            while (!replies.isReady()) {
                // Called without the lock: the check may wait for a processor, and the connection's
                // thread needs the lock.
                cancellation.check();
                awaitChange();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            cancellation.cancel();
            cancellation.check();
        }
    }

    private void awaitChange() throws InterruptedException {
        lock.lock();
        try {
            if (!replies.isReady() && !cancellation.isCancelled()) {
                env.await(changed, Duration.ofNanos(Math.max(1, cancellation.remainingNanos())));
            }
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
