package io.cleave.bench.abuse;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.random.RandomGenerator;

/// A well-behaved client. It selects by key at a steady rate over several connections, whether or
/// not earlier requests are answered, and opens a new session from time to time.
final class GoodClient implements AutoCloseable {
    static final int REQUESTS_A_SECOND = 300;

    private static final int LANES = 4;
    private static final long INTERVAL_NANOS = 1_000_000_000L * LANES / REQUESTS_A_SECOND;
    private static final int SESSION_INTERVAL_MILLIS = 200;

    private final Target target;
    private final int rows;
    private final GoodTally tally = new GoodTally();
    private final List<Thread> threads = new ArrayList<>();
    private volatile boolean stopped;

    /// Starts to send requests.
    GoodClient(Target target, int rows) {
        this.target = target;
        this.rows = rows;
        for (int lane = 0; lane < LANES; lane++) {
            threads.add(Thread.ofPlatform().daemon().name("good client").start(this::select));
        }
        threads.add(Thread.ofPlatform().daemon().name("good sessions").start(this::openSessions));
    }

    private void select() {
        var random = RandomGenerator.of("L64X128MixRandom");
        long due = StampedSocket.wallNanos();
        try (var lane = new GoodLane(target, tally)) {
            while (!stopped) {
                due += INTERVAL_NANOS;
                TimeUnit.NANOSECONDS.sleep(due - StampedSocket.wallNanos());
                lane.ask(random.nextInt(rows), due);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /// Opens and closes sessions, like a session pool that grows and shrinks.
    private void openSessions() {
        try (var lane = new GoodLane(target, tally)) {
            while (!stopped) {
                TimeUnit.MILLISECONDS.sleep(SESSION_INTERVAL_MILLIS);
                lane.openAndDelete();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /// The results since the last report. Waits for the outstanding answers.
    GoodTally.Report takeReport() throws InterruptedException {
        return tally.takeReport();
    }

    @Override
    public void close() {
        stopped = true;
        try {
            for (Thread thread : threads) {
                thread.join();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
