package io.cleave.bench;

import io.cleave.base.Bytes;
import io.cleave.log.Log;
import io.cleave.log.LogCursor;
import io.cleave.log.LogException;
import io.cleave.log.LogWriter;

import java.time.Duration;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicLongArray;

/// How long after its writer a follower with its own connections has a record: the time from the
/// acknowledgement until the record is read. First with records always in flight, then with single
/// records between which the writer is quiet.
final class TailLag {
    private static final int RECORD_BYTES = 1024;
    private static final int IN_FLIGHT = 16;
    private static final int MOST_RECORDS = 4 << 20;

    /// Warm-up: connections, and the compilers of all processes, which share the cores.
    private static final Duration FIRST = Duration.ofSeconds(30);

    private static final int QUIET_RECORDS = 200;
    private static final Duration QUIET = Duration.ofMillis(30);
    private static final Duration LOOK = Duration.ofSeconds(1);
    private static final Duration PATIENCE = Duration.ofSeconds(30);
    private static final int P99 = 990;

    private final LedgerClients leader;
    private final LedgerClients follower;
    private final Duration time;
    private final Bytes record = Bytes.wrap(new byte[RECORD_BYTES]);
    private final Semaphore room = new Semaphore(IN_FLIGHT);
    private final Queue<LogException> failures = new ConcurrentLinkedQueue<>();

    /// When each record was acknowledged, by position; 0 if it is not acknowledged yet.
    private final AtomicLongArray acknowledged = new AtomicLongArray(MOST_RECORDS);

    /// The lag of each record, by position. Only the follower uses it until it has ended.
    private final long[] lagNanos = new long[MOST_RECORDS];

    /// Where the follower ends. Unknown until everything is written.
    private volatile long end = Long.MAX_VALUE;

    TailLag(LedgerClients leader, LedgerClients follower, Duration time) {
        this.leader = leader;
        this.follower = follower;
        this.time = time;
    }

    void run(BookKeeperBars bars) throws Exception {
        try (Log log = leader.log("/bench/tail");
                LogWriter writer = log.openWriter();
                Log copy = follower.log("/bench/tail")) {
            var threads = Executors.newSingleThreadExecutor();
            try {
                Callable<Boolean> following = () -> follow(copy);
                Future<Boolean> followed = threads.submit(following);
                write(writer, FIRST);
                long from = writer.nextPosition();
                write(writer, time);
                long to = writer.nextPosition();
                writeQuietly(writer);
                end = writer.nextPosition();
                await(followed);
                print(bars, from, to);
            } finally {
                threads.shutdownNow();
            }
        }
    }

    private void write(LogWriter writer, Duration duration) throws InterruptedException {
        long until = System.nanoTime() + duration.toNanos();
        while (System.nanoTime() < until
                && failures.isEmpty()
                && writer.nextPosition() < MOST_RECORDS - QUIET_RECORDS) {
            append(writer);
        }
        awaitAnswers();
    }

    private void writeQuietly(LogWriter writer) throws InterruptedException {
        for (int count = 0; count < QUIET_RECORDS; count++) {
            Thread.sleep(QUIET);
            append(writer);
            awaitAnswers();
        }
    }

    private void append(LogWriter writer) throws InterruptedException {
        room.acquire();
        writer.append(
                record,
                (position, failure) -> {
                    if (failure == null) {
                        acknowledged.set((int) position, System.nanoTime());
                    } else {
                        failures.add(failure);
                    }
                    room.release();
                });
    }

    private void awaitAnswers() throws InterruptedException {
        room.acquire(IN_FLIGHT);
        room.release(IN_FLIGHT);
        LogException failure = failures.peek();
        if (failure != null) {
            throw failure;
        }
    }

    /// Reads everything. A record that is read before its writer learns of the acknowledgement
    /// counts as having no lag.
    private boolean follow(Log log) throws InterruptedException {
        try (LogCursor cursor = log.read(0)) {
            long next = 0;
            while (next < end) {
                if (!log.awaitDurable(next, LOOK)) {
                    continue;
                }
                while (cursor.next()) {
                    long now = System.nanoTime();
                    int position = (int) cursor.position();
                    long acked = acknowledged.get(position);
                    lagNanos[position] = acked == 0 ? 0 : Math.max(0, now - acked);
                    next = position + 1L;
                }
            }
        }
        return true;
    }

    private void await(Future<Boolean> followed) throws Exception {
        try {
            var _ = followed.get(PATIENCE.toSeconds(), TimeUnit.SECONDS);
        } catch (TimeoutException e) {
            throw new IllegalStateException(
                    "the follower has not read all %d records within %s".formatted(end, PATIENCE),
                    e);
        }
    }

    private void print(BookKeeperBars bars, long from, long to) {
        bars.tell(
                "appends while a follower reads, 16 in flight",
                "per second",
                (to - from) / (time.toNanos() / 1e9),
                "");
        bars.atMost(20.0, "follower's lag behind the acknowledgement, p99", "ms", lag(from, to));
        bars.atMost(20.0, "  of a record after which its writer is quiet, p99", "ms", lag(to, end));
    }

    private double lag(long from, long to) {
        var samples = new Samples();
        for (long position = from; position < to; position++) {
            samples.add(lagNanos[(int) position]);
        }
        return Samples.millisAt(List.of(samples), P99);
    }
}
