package io.cleave.wire;

import com.google.errorprone.annotations.concurrent.GuardedBy;

import io.cleave.base.Env;
import io.cleave.base.Issue;
import io.cleave.base.Status;
import io.cleave.memory.MemoryBudget;
import io.cleave.memory.MemoryPool;
import io.cleave.query.CallerDatabase;
import io.cleave.query.Cancellation;
import io.cleave.wire.Replies.Done;
import io.grpc.stub.ServerCallStreamObserver;
import io.grpc.stub.StreamObserver;

import tech.ydb.proto.OperationProtos.Operation;
import tech.ydb.proto.OperationProtos.OperationParams;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Function;
import java.util.function.Supplier;

/// Runs requests, and limits how many run at once.
///
/// A handler is called on the connection's thread, which serves other calls too. Work that may wait
/// goes to a virtual thread. Work that does not wait is answered on the connection's thread,
/// because a handover costs as much as the rest of the call. The work gets the database as the
/// caller sees it.
public final class Requests {
    static final int MAX_IN_FLIGHT = 10_000;

    /// Heap bytes per request in flight; a small heap allows fewer than the maximum. Each request
    /// has a thread, and small parts of its request, transaction and result that the pools do not
    /// count.
    private static final long HEAP_BYTES_EACH = 256 << 10;

    private final Env env;
    private final MemoryPool results;
    private final int maxInFlight;
    private final AtomicInteger inFlight = new AtomicInteger();
    private final ReentrantLock lock = new ReentrantLock();

    @GuardedBy("lock")
    private final Condition idle = lock.newCondition();

    /// Results take their memory from the pool of `memory` until they are sent.
    Requests(Env env, MemoryBudget memory) {
        this.env = env;
        this.results = memory.results();
        maxInFlight = Math.clamp(memory.heapBytes() / HEAP_BYTES_EACH, 1, MAX_IN_FLIGHT);
    }

    ResultMemory memoryOfResult(Cancellation cancellation) {
        return new ResultMemory(results, cancellation);
    }

    Env env() {
        return env;
    }

    /// Answers on the calling thread. `body` must not wait.
    <R> void here(
            StreamObserver<R> replies,
            Function<Operation, R> wrap,
            Function<CallerDatabase, Done> body) {
        CallerDatabase caller = CallerHeaders.database();
        send(replies, wrap.apply(operation(() -> body.apply(caller))));
    }

    /// Answers from a new thread.
    <R> void apart(
            StreamObserver<R> replies,
            Function<Operation, R> wrap,
            Function<CallerDatabase, Done> body) {
        CallerDatabase caller = CallerHeaders.database();
        Runnable work = () -> send(replies, wrap.apply(operation(() -> body.apply(caller))));
        if (!spawn(work)) {
            send(replies, wrap.apply(Replies.failed(overloaded())));
        }
    }

    /// Like [#here], for replies that carry their status themselves.
    <R> void plainHere(
            StreamObserver<R> replies,
            Function<Failure, R> failed,
            Function<CallerDatabase, R> body) {
        CallerDatabase caller = CallerHeaders.database();
        send(replies, plain(failed, () -> body.apply(caller)));
    }

    /// Answers on the calling thread if `here` returns an answer; `here` must not wait. Otherwise
    /// `apart` answers from a new thread. For replies that carry their status themselves.
    <R> void plainHereOrApart(
            StreamObserver<R> replies,
            Function<Failure, R> failed,
            Function<CallerDatabase, Optional<R>> here,
            Function<CallerDatabase, R> apart) {
        CallerDatabase caller = CallerHeaders.database();
        Optional<R> answer =
                plain(failure -> Optional.of(failed.apply(failure)), () -> here.apply(caller));
        if (answer.isPresent()) {
            send(replies, answer.get());
        } else {
            plainApart(replies, failed, apart);
        }
    }

    <R> void plainApart(
            StreamObserver<R> replies,
            Function<Failure, R> failed,
            Function<CallerDatabase, R> body) {
        CallerDatabase caller = CallerHeaders.database();
        if (!spawn(() -> send(replies, plain(failed, () -> body.apply(caller))))) {
            send(replies, failed.apply(overloaded()));
        }
    }

    /// The earlier of the two time limits applies, with its own status.
    Cancellation cancellation(OperationParams params) {
        Duration limit = Cancellation.DEFAULT_LIMIT;
        Status status = Status.TIMEOUT;
        if (params.hasOperationTimeout() && isPositive(params.getOperationTimeout())) {
            limit = duration(params.getOperationTimeout());
        }
        if (params.hasCancelAfter() && isPositive(params.getCancelAfter())) {
            Duration cancelAfter = duration(params.getCancelAfter());
            if (cancelAfter.compareTo(limit) < 0) {
                limit = cancelAfter;
                status = Status.CANCELLED;
            }
        }
        return new Cancellation(env, limit, status);
    }

    private static boolean isPositive(com.google.protobuf.Duration sent) {
        return sent.getSeconds() > 0 || (sent.getSeconds() == 0 && sent.getNanos() > 0);
    }

    /// Durations longer than a year are cut to a year.
    private static Duration duration(com.google.protobuf.Duration sent) {
        long seconds = Math.min(sent.getSeconds(), Duration.ofDays(365).toSeconds());
        return Duration.ofSeconds(seconds, Math.clamp(sent.getNanos(), 0, 999_999_999));
    }

    /// Cancels the work when the client goes away.
    static void cancelWith(StreamObserver<?> replies, Cancellation cancellation) {
        ((ServerCallStreamObserver<?>) replies).setOnCancelHandler(cancellation::cancel);
    }

    /// Runs work that sends its own answer. Returns false if too many requests are in flight.
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

    /// Counts a request as in flight until `leave`. Returns false if there are too many.
    boolean enter() {
        if (inFlight.incrementAndGet() > maxInFlight) {
            leave();
            return false;
        }
        return true;
    }

    /// Waits until no request is in flight. Returns false after the timeout.
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

    Failure overloaded() {
        return new Failure(
                Status.OVERLOADED,
                List.of(
                        Issue.error(
                                Issue.OVERLOADED,
                                "Too many requests in flight, the limit is " + maxInFlight)));
    }

    @SuppressWarnings("CatchThrowable") // every request gets an answer
    static Operation operation(Supplier<Done> body) {
        try {
            return Replies.succeeded(body.get());
        } catch (Throwable thrown) {
            return Replies.failed(Failure.of(thrown));
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

    static <R> void send(StreamObserver<R> replies, R reply) {
        try {
            replies.onNext(reply);
            replies.onCompleted();
        } catch (io.grpc.StatusRuntimeException gone) {
            // The client has cancelled the call, so nobody waits for the answer.
            assert gone.getStatus().getCode() == io.grpc.Status.Code.CANCELLED : gone;
        }
    }
}
