package io.cleave.bench.abuse;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/// When an attack ends.
record Deadline(long nanoTime) {
    static Deadline after(Duration time) {
        return new Deadline(System.nanoTime() + time.toNanos());
    }

    boolean isOver() {
        return leftNanos() <= 0;
    }

    private long leftNanos() {
        return nanoTime - System.nanoTime();
    }

    void await() throws InterruptedException {
        TimeUnit.NANOSECONDS.sleep(Math.max(0, leftNanos()));
    }

    /// How the request ended, or that it did not end in time.
    Ending of(CompletableFuture<Ending> ending) throws InterruptedException {
        try {
            return ending.get(Math.max(0, leftNanos()), TimeUnit.NANOSECONDS);
        } catch (TimeoutException e) {
            return Ending.UNFINISHED;
        } catch (ExecutionException e) {
            throw new IllegalStateException(e);
        }
    }
}
