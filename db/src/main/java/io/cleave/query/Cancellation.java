package io.cleave.query;

import io.cleave.base.Env;
import io.cleave.base.Issue;
import io.cleave.base.Status;
import io.cleave.base.StatusException;

import java.time.Duration;

/// Tells a running request whether it should go on. Long work checks it between its steps. A
/// request ends when its time limit is over, or when its client has gone away.
///
/// Threads: any thread may cancel; the threads of the request check.
public final class Cancellation {
    /// YDB's limit for a data query without a limit of its own.
    public static final Duration DEFAULT_LIMIT = Duration.ofMinutes(5);

    private static final long DEFAULT_NANOS = DEFAULT_LIMIT.toNanos();

    /// YDB's limit for a scan of any length.
    public static final Duration SCAN_LIMIT = Duration.ofMinutes(10);

    /// How long a request may compute before it yields the processor to others.
    private static final long TURN_NANOS = 4_000_000;

    /// The maximum limit, because a client may ask for more than the clock can count.
    private static final Duration LONGEST = Duration.ofDays(365);

    private final Env env;
    private final long begunNanos;
    private final long deadlineNanos;
    private final Status afterDeadline;
    private volatile boolean cancelled;

    /// When the request started to compute, or last yielded its processor. Written by the threads
    /// that check.
    private long turnNanos;

    /// `afterDeadline` is the status after the time limit, TIMEOUT or CANCELLED, as the request
    /// chose.
    public Cancellation(Env env, Duration limit, Status afterDeadline) {
        this(env, saturatedNanos(limit), afterDeadline);
    }

    private Cancellation(Env env, long limitNanos, Status afterDeadline) {
        this.env = env;
        this.begunNanos = env.nanoTime();
        this.deadlineNanos = begunNanos + limitNanos;
        this.turnNanos = begunNanos;
        this.afterDeadline = afterDeadline;
    }

    public static Cancellation byDefault(Env env) {
        return new Cancellation(env, DEFAULT_NANOS, Status.TIMEOUT);
    }

    public static Cancellation ofScan(Env env) {
        return new Cancellation(env, SCAN_LIMIT, Status.TIMEOUT);
    }

    /// When the request arrived, by [Env#nanoTime].
    long begunNanos() {
        return begunNanos;
    }

    /// Called when the request starts to compute: the time that it has waited for a thread does not
    /// count as computing.
    void startTurn() {
        turnNanos = env.nanoTime();
    }

    public void cancel() {
        cancelled = true;
    }

    public boolean isCancelled() {
        return cancelled;
    }

    /// Throws if the request should end. A request that has computed for long first yields the
    /// processor to others.
    public void check() {
        if (cancelled) {
            throw new StatusException(
                    Status.CANCELLED,
                    Issue.error(Issue.CANCELLED, "Request was cancelled by the client"));
        }
        long now = env.nanoTime();
        if (now - turnNanos >= TURN_NANOS) {
            env.yieldProcessor();
            now = env.nanoTime();
            turnNanos = now;
        }
        if (deadlineNanos - now <= 0) {
            throw afterDeadline == Status.TIMEOUT
                    ? new StatusException(
                            Status.TIMEOUT, Issue.error(Issue.TIMEOUT, "Request timeout exceeded"))
                    : new StatusException(
                            afterDeadline,
                            Issue.error(Issue.CANCELLED, "Request cancelled after its time limit"));
        }
    }

    public long remainingNanos() {
        return deadlineNanos - env.nanoTime();
    }

    private static long saturatedNanos(Duration limit) {
        return limit.compareTo(LONGEST) > 0 ? LONGEST.toNanos() : limit.toNanos();
    }
}
