package io.cleave.query;

import io.cleave.base.Env;
import io.cleave.base.Issue;
import io.cleave.base.Status;
import io.cleave.base.StatusException;

import java.time.Duration;

/// Whether a running request should still go on. What works for long looks here between its steps:
/// it ends when the time that its client gave it is over, or when the client has gone away.
///
/// Threads: any may cancel; the one that runs the request checks.
public final class Cancellation {
    /// YDB's limit for a data query that says nothing.
    public static final Duration DEFAULT_LIMIT = Duration.ofMinutes(5);

    private static final long DEFAULT_NANOS = DEFAULT_LIMIT.toNanos();

    /// YDB's limit for a scan of any length.
    public static final Duration SCAN_LIMIT = Duration.ofMinutes(10);

    /// How long a request computes before others have their turn.
    private static final long TURN_NANOS = 4_000_000;

    /// A client may ask for more than the clock can count.
    private static final Duration LONGEST = Duration.ofDays(365);

    private final Env env;
    private final long begunNanos;
    private final long deadlineNanos;
    private final Status afterDeadline;
    private volatile boolean cancelled;

    /// When the request last let others have its processor; written by those who check.
    private long turnNanos;

    /// `afterDeadline` is TIMEOUT or CANCELLED, as the request chose.
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

    /// When the request came, by [Env#nanoTime].
    long begunNanos() {
        return begunNanos;
    }

    public void cancel() {
        cancelled = true;
    }

    public boolean isCancelled() {
        return cancelled;
    }

    /// Ends the request unless it should go on. One that has computed for long lets others have
    /// their turn first.
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
