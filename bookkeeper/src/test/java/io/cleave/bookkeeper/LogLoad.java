package io.cleave.bookkeeper;

import static org.assertj.core.api.Assertions.assertThat;

import io.cleave.base.Bytes;
import io.cleave.log.Log;
import io.cleave.log.LogCursor;
import io.cleave.log.LogException;
import io.cleave.log.LogWriter;

import org.jspecify.annotations.Nullable;

import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicLong;

/// Appends records of 1 KiB to a log, many in flight, until it is stopped; remembers each that was
/// acknowledged, and how long nothing was.
final class LogLoad implements AutoCloseable {
    private static final int RECORD_BYTES = 1024;
    private static final int IN_FLIGHT = 32;
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    private final LogWriter writer;
    private final Semaphore room = new Semaphore(IN_FLIGHT);
    private final Map<Long, Long> acknowledged = new ConcurrentSkipListMap<>();
    private final AtomicLong longestGapNanos = new AtomicLong();
    private final Thread thread;
    private volatile long lastAckNanos = System.nanoTime();
    private volatile @Nullable LogException failure;
    private volatile boolean stopped;

    LogLoad(LogWriter writer) {
        this.writer = writer;
        thread = Thread.ofPlatform().name("load").start(this::run);
    }

    private void run() {
        for (long number = 0; !stopped && failure == null; number++) {
            room.acquireUninterruptibly();
            long own = number;
            writer.append(
                    record(writer.epoch(), own),
                    (position, failed) -> {
                        if (failed == null) {
                            acknowledged.put(position, own);
                            acked();
                        } else {
                            failure = failed;
                        }
                        room.release();
                    });
        }
    }

    private void acked() {
        long now = System.nanoTime();
        longestGapNanos.accumulateAndGet(now - lastAckNanos, Math::max);
        lastAckNanos = now;
    }

    static Bytes record(long epoch, long number) {
        return Bytes.wrap(ByteBuffer.allocate(RECORD_BYTES).putLong(epoch).putLong(number).array());
    }

    long epoch() {
        return writer.epoch();
    }

    int count() {
        return acknowledged.size();
    }

    /// Waits until so many more were acknowledged.
    void awaitMore(int count) throws InterruptedException {
        int until = count() + count;
        long deadline = System.nanoTime() + PATIENCE.toNanos();
        while (count() < until) {
            assertThat(failure).isNull();
            assertThat(System.nanoTime()).as("no more than %d", count()).isLessThan(deadline);
            Thread.sleep(5);
        }
    }

    /// Until now, since the last time that this was asked.
    Duration longestGap() {
        acked();
        return Duration.ofNanos(longestGapNanos.getAndSet(0));
    }

    /// Waits until all is answered.
    @Override
    public void close() {
        stopped = true;
        room.release();
        try {
            thread.join();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        writer.close();
    }

    @Nullable LogException failure() {
        return failure;
    }

    /// Every acknowledged record is in the log, at its place, and the epochs only grow.
    void check(Log log) {
        try (LogCursor cursor = log.read(0)) {
            long found = 0;
            long epoch = 0;
            while (cursor.next()) {
                ByteBuffer record = ByteBuffer.wrap(cursor.record().array());
                long recordEpoch = record.getLong();
                assertThat(recordEpoch).isGreaterThanOrEqualTo(epoch);
                epoch = recordEpoch;
                Long number = acknowledged.get(cursor.position());
                if (number != null) {
                    assertThat(recordEpoch).isEqualTo(writer.epoch());
                    assertThat(record.getLong()).isEqualTo(number);
                    found++;
                }
            }
            assertThat(found).isEqualTo(count());
        }
    }
}
