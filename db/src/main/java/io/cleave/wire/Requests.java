package io.cleave.wire;

import com.google.errorprone.annotations.concurrent.GuardedBy;

import io.cleave.base.Env;
import io.cleave.base.Issue;
import io.cleave.base.Status;
import io.cleave.base.StatusException;
import io.cleave.memory.MemoryPool;
import io.cleave.query.Cancellation;
import io.cleave.wire.Replies.Done;
import io.grpc.stub.ServerCallStreamObserver;
import io.grpc.stub.StreamObserver;

import tech.ydb.proto.OperationProtos.Operation;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Function;
import java.util.function.Supplier;

/// Runs requests. A handler is called on the thread of the connection, which serves others too:
/// what may wait goes to a virtual thread; what does not is answered right there, because handing
/// it over costs as much as the rest of the call.
final class Requests {
    static final int MAX_IN_FLIGHT = 10_000;

    private final Env env;
    private final MemoryPool results;
    private final AtomicInteger inFlight = new AtomicInteger();
    private final ReentrantLock lock = new ReentrantLock();

    @GuardedBy("lock")
    private final Condition idle = lock.newCondition();

    /// What they answer is taken from the pool until it is sent.
    Requests(Env env, MemoryPool results) {
        this.env = env;
        this.results = results;
    }

    ResultMemory memoryOfResult(Cancellation cancellation) {
        return new ResultMemory(results, cancellation);
    }

    Env env() {
        return env;
    }

    /// Answers on the calling thread: `body` must not wait.
    <R> void here(StreamObserver<R> replies, Function<Operation, R> wrap, Supplier<Done> body) {
        send(replies, wrap.apply(operation(body)));
    }

    /// Answers from a thread of its own.
    <R> void apart(StreamObserver<R> replies, Function<Operation, R> wrap, Supplier<Done> body) {
        Runnable work = () -> send(replies, wrap.apply(operation(body)));
        if (!spawn(work)) {
            send(replies, wrap.apply(Replies.failed(overloaded())));
        }
    }

    /// Answers on the calling thread if `here` has an answer, which it must not wait for; else
    /// `apart` answers from a thread of its own.
    <R> void hereOrApart(
            StreamObserver<R> replies,
            Function<Operation, R> wrap,
            Supplier<Optional<Done>> here,
            Supplier<Done> apart) {
        Optional<Operation> answer = operationIfAny(here);
        if (answer.isPresent()) {
            send(replies, wrap.apply(answer.get()));
        } else {
            apart(replies, wrap, apart);
        }
    }

    /// As [#here] for replies that carry their status themselves.
    <R> void plainHere(StreamObserver<R> replies, Function<Failure, R> failed, Supplier<R> body) {
        send(replies, plain(failed, body));
    }

    <R> void plainApart(StreamObserver<R> replies, Function<Failure, R> failed, Supplier<R> body) {
        if (!spawn(() -> send(replies, plain(failed, body)))) {
            send(replies, failed.apply(overloaded()));
        }
    }

    /// A client that goes away ends the work for it.
    static void cancelWith(StreamObserver<?> replies, Cancellation cancellation) {
        ((ServerCallStreamObserver<?>) replies).setOnCancelHandler(cancellation::cancel);
    }

    /// Runs what answers for itself; false when there is too much going on.
    boolean spawn(Runnable work) {
        if (!enter()) {
            return false;
        }
        env.spawn(
                "request",
                () -> {
                    try {
                        work.run();
                    } finally {
                        leave();
                    }
                });
        return true;
    }

    /// Something is under way until it leaves; false when there is too much already.
    boolean enter() {
        if (inFlight.incrementAndGet() > MAX_IN_FLIGHT) {
            leave();
            return false;
        }
        return true;
    }

    /// Waits until everything that is under way is done, at most so long.
    boolean awaitIdle(Duration timeout) throws InterruptedException {
        long deadlineNanos = env.nanoTime() + timeout.toNanos();
        lock.lock();
        try {
            while (inFlight.get() > 0) {
                long left = deadlineNanos - env.nanoTime();
                if (left <= 0) {
                    return false;
                }
                env.await(idle, Duration.ofNanos(left));
            }
            return true;
        } finally {
            lock.unlock();
        }
    }

    void leave() {
        if (inFlight.decrementAndGet() > 0) {
            return;
        }
        lock.lock();
        try {
            idle.signalAll();
        } finally {
            lock.unlock();
        }
    }

    static Failure overloaded() {
        return new Failure(
                Status.OVERLOADED,
                List.of(
                        Issue.error(
                                Issue.OVERLOADED,
                                "Too many requests in flight, the limit is " + MAX_IN_FLIGHT)));
    }

    @SuppressWarnings("CatchThrowable") // every request gets an answer
    private static Operation operation(Supplier<Done> body) {
        try {
            return Replies.succeeded(body.get());
        } catch (Throwable thrown) {
            return Replies.failed(Failure.of(thrown));
        }
    }

    @SuppressWarnings("CatchThrowable") // every request gets an answer
    private static Optional<Operation> operationIfAny(Supplier<Optional<Done>> body) {
        try {
            return body.get().map(Replies::succeeded);
        } catch (Throwable thrown) {
            return Optional.of(Replies.failed(Failure.of(thrown)));
        }
    }

    @SuppressWarnings("CatchThrowable") // every request gets an answer
    private static <R> R plain(Function<Failure, R> failed, Supplier<R> body) {
        try {
            return body.get();
        } catch (Throwable thrown) {
            return failed.apply(Failure.of(thrown));
        }
    }

    private static <R> void send(StreamObserver<R> replies, R reply) {
        try {
            replies.onNext(reply);
            replies.onCompleted();
        } catch (io.grpc.StatusRuntimeException gone) {
            // The client has cancelled the call: nobody waits for the answer.
            assert gone.getStatus().getCode() == io.grpc.Status.Code.CANCELLED : gone;
        }
    }

    /// What stands in for what is not there yet.
    static StatusException unsupported(String what) {
        return new StatusException(
                Status.UNSUPPORTED, Issue.error(Issue.UNSUPPORTED, what + " is not supported"));
    }
}
