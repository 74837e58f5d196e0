package io.cleave.bench;

import io.cleave.base.Bytes;
import io.cleave.log.Log;
import io.cleave.log.LogCursor;
import io.cleave.log.LogWriter;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicLongArray;

/// How much later than its writer a follower with connections of its own has a record: from the
/// acknowledgement until it has been read.
final class TailLag {
    private static final int RECORD_BYTES = 1024;
    private static final int IN_FLIGHT = 16;
    private static final int MOST_RECORDS = 4 << 20;
    private static final Duration LOOK = Duration.ofSeconds(1);
    private static final int P99 = 990;

    private final LedgerClients leader;
    private final LedgerClients follower;
    private final Duration time;

    /// When each record was acknowledged, by its position; 0 if it was not yet.
    private final AtomicLongArray acknowledged = new AtomicLongArray(MOST_RECORDS);

    TailLag(LedgerClients leader, LedgerClients follower, Duration time) {
        this.leader = leader;
        this.follower = follower;
        this.time = time;
    }

    void run(BookKeeperBars bars) throws Exception {
        var samples = new Samples();
        long written;
        try (Log log = leader.log("/bench/tail");
                LogWriter writer = log.openWriter();
                Log copy = follower.log("/bench/tail")) {
            long until = System.nanoTime() + time.toNanos();
            Thread reading = Thread.ofPlatform().start(() -> follow(copy, until, samples));
            write(writer, until);
            written = writer.nextPosition();
            reading.join();
        }
        if (samples.count() < written / 2) {
            throw new IllegalStateException(
                    "the follower has read %d of %d".formatted(samples.count(), written));
        }
        bars.tell(
                "appends while a follower reads, 16 in flight",
                "per second",
                written / (time.toNanos() / 1e9),
                "");
        bars.atMost(
                20.0,
                "follower's lag behind the acknowledgement, p99",
                "ms",
                Samples.millisAt(List.of(samples), P99));
    }

    private void write(LogWriter writer, long until) throws InterruptedException {
        var room = new Semaphore(IN_FLIGHT);
        Bytes record = Bytes.wrap(new byte[RECORD_BYTES]);
        while (System.nanoTime() < until && writer.nextPosition() < MOST_RECORDS) {
            room.acquire();
            writer.append(
                    record,
                    (position, failure) -> {
                        if (failure != null) {
                            throw failure;
                        }
                        acknowledged.set((int) position, System.nanoTime());
                        room.release();
                    });
        }
        room.acquire(IN_FLIGHT);
    }

    /// A record that is read before its writer has heard of it counts as one without a lag.
    private void follow(Log log, long until, Samples samples) {
        try (LogCursor cursor = log.read(0)) {
            long next = 0;
            // The first second is for connecting and for the compiler.
            long counted = until - time.toNanos() + LOOK.toNanos();
            while (System.nanoTime() < until) {
                if (!log.awaitDurable(next, LOOK)) {
                    continue;
                }
                while (cursor.next()) {
                    long now = System.nanoTime();
                    long acked = acknowledged.get((int) cursor.position());
                    if (now > counted) {
                        samples.add(acked == 0 ? 0 : Math.max(0, now - acked));
                    }
                    next = cursor.position() + 1;
                }
            }
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
    }
}
