package io.cleave.bench;

import io.cleave.base.Bytes;
import io.cleave.log.Log;
import io.cleave.log.LogCursor;
import io.cleave.log.LogException;
import io.cleave.log.LogWriter;

import org.jspecify.annotations.Nullable;

import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicLong;

/// Kills bookies under load, one after the other, and starts them again. Measures the longest time
/// without an acknowledgement. In the end, it checks every acknowledged record.
final class BookieKills {
    private static final int BOOKIES = 3;
    private static final int RECORD_BYTES = 1024;
    private static final int IN_FLIGHT = 32;
    private static final Duration BEFORE = Duration.ofSeconds(2);

    /// How long appends are observed after a kill.
    private static final Duration LOOK = Duration.ofSeconds(5);

    private final ClusterProcesses cluster;
    private final LedgerClients clients;

    BookieKills(ClusterProcesses cluster, LedgerClients clients) {
        this.cluster = cluster;
        this.clients = clients;
    }

    void run(BookKeeperBars bars) throws Exception {
        Duration afterKill = Duration.ZERO;
        Duration afterStart = Duration.ZERO;
        try (Log log = clients.log("/bench/kills")) {
            long acknowledged;
            try (LogWriter writer = log.openWriter();
                    var load = new Load(writer)) {
                for (int bookie = 1; bookie <= BOOKIES; bookie++) {
                    Thread.sleep(BEFORE);
                    var _ = load.longestGap();
                    cluster.killBookie(bookie);
                    Thread.sleep(LOOK);
                    afterKill = longer(afterKill, load.longestGap());
                    cluster.startBookie(bookie);
                    Thread.sleep(BEFORE);
                    afterStart = longer(afterStart, load.longestGap());
                }
                acknowledged = load.end();
            }
            check(log, acknowledged);
        }
        bars.atMost(
                2.0,
                "longest time without an acknowledgement, a bookie SIGKILLed",
                "s",
                seconds(afterKill));
        bars.tell("  and while it comes back", "s", seconds(afterStart), "");
    }

    private static Duration longer(Duration one, Duration other) {
        return one.compareTo(other) > 0 ? one : other;
    }

    private static double seconds(Duration duration) {
        return duration.toNanos() / 1e9;
    }

    /// Each record contains its own position.
    private static void check(Log log, long acknowledged) {
        long expected = 0;
        try (LogCursor cursor = log.read(0)) {
            while (cursor.next()) {
                long found = ByteBuffer.wrap(cursor.record().array()).getLong();
                if (cursor.position() != expected || found != expected) {
                    throw new IllegalStateException(
                            "record %d at %d instead of %d"
                                    .formatted(found, cursor.position(), expected));
                }
                expected++;
            }
        }
        if (expected < acknowledged) {
            throw new IllegalStateException(
                    "%d of %d acknowledged records are there".formatted(expected, acknowledged));
        }
    }

    /// Appends without end, and records when the last append was acknowledged.
    private static final class Load implements AutoCloseable {
        private final LogWriter writer;
        private final Semaphore room = new Semaphore(IN_FLIGHT);
        private final AtomicLong lastNanos = new AtomicLong(System.nanoTime());
        private final AtomicLong longestNanos = new AtomicLong();
        private final Thread thread;

        /// One past the last acknowledged position.
        private volatile long end;

        private volatile @Nullable LogException failure;
        private volatile boolean stopped;

        Load(LogWriter writer) {
            this.writer = writer;
            thread = Thread.ofPlatform().name("load").start(this::append);
        }

        private void append() {
            for (long number = 0; !stopped && failure == null; number++) {
                room.acquireUninterruptibly();
                byte[] record = ByteBuffer.allocate(RECORD_BYTES).putLong(number).array();
                writer.append(
                        Bytes.wrap(record),
                        (position, failed) -> {
                            if (failed == null) {
                                end = position + 1;
                                answered();
                            } else {
                                failure = failed;
                            }
                            room.release();
                        });
            }
        }

        private void answered() {
            long now = System.nanoTime();
            long before = lastNanos.getAndSet(now);
            longestNanos.accumulateAndGet(now - before, Math::max);
        }

        /// The longest gap since the last call of this method, including a gap that still lasts.
        Duration longestGap() {
            LogException failed = failure;
            if (failed != null) {
                throw failed;
            }
            long lasting = System.nanoTime() - lastNanos.get();
            return Duration.ofNanos(Math.max(longestNanos.getAndSet(0), lasting));
        }

        /// Stops, waits for appends in flight, and returns how many were acknowledged.
        long end() throws InterruptedException {
            stopped = true;
            thread.join();
            room.acquire(IN_FLIGHT);
            LogException failed = failure;
            if (failed != null) {
                throw failed;
            }
            return end;
        }

        @Override
        public void close() {
            stopped = true;
        }
    }
}
