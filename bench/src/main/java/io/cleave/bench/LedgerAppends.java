package io.cleave.bench;

import io.cleave.base.Bytes;
import io.cleave.log.LogWriter;

import org.apache.bookkeeper.client.api.WriteHandle;

import java.time.Duration;
import java.util.Arrays;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Semaphore;

/// Appends of 1 KiB with many in flight: through Cleave's log, and by the plain client to one
/// ledger.
final class LedgerAppends {
    private static final int RECORD_BYTES = 1024;
    private static final int IN_FLIGHT = 256;
    private static final int TURNS = 3;

    private final LedgerClients clients;
    private final Duration time;
    private int logs;

    LedgerAppends(LedgerClients clients, Duration time) {
        this.clients = clients;
        this.time = time;
    }

    void run(BookKeeperBars bars) throws Exception {
        double[] cleave = new double[TURNS];
        double[] plain = new double[TURNS];
        var _ = throughLog();
        var _ = plainly();
        for (int turn = 0; turn < TURNS; turn++) {
            cleave[turn] = throughLog();
            plain[turn] = plainly();
        }
        bars.atLeast(
                0.9,
                "appends of 1 KiB, 256 in flight",
                "per second",
                middle(cleave),
                new BookKeeperBars.Yardstick("plain client", middle(plain)));
    }

    private static double middle(double[] values) {
        double[] sorted = values.clone();
        Arrays.sort(sorted);
        return sorted[sorted.length / 2];
    }

    private double throughLog() throws Exception {
        logs++;
        byte[] bytes = new byte[RECORD_BYTES];
        try (var log = clients.log("/bench/appends-" + logs);
                LogWriter writer = log.openWriter()) {
            return rate(
                    (room, failures) ->
                            writer.append(
                                    Bytes.wrap(bytes),
                                    (_, failure) -> {
                                        if (failure != null) {
                                            failures.add(failure);
                                        }
                                        room.release();
                                    }));
        }
    }

    @SuppressWarnings({
        "try",
        "FutureReturnValueIgnored"
    }) // an interrupt ends the benchmark; failures are kept
    private double plainly() throws Exception {
        byte[] bytes = new byte[RECORD_BYTES];
        try (WriteHandle ledger = clients.newLedger()) {
            return rate(
                    (room, failures) ->
                            ledger.appendAsync(bytes)
                                    .exceptionally(
                                            failure -> {
                                                failures.add(failure);
                                                return -1L;
                                            })
                                    .thenRun(room::release));
        }
    }

    private interface Append {
        void send(Semaphore room, Queue<Throwable> failures);
    }

    /// Counts the appends that were acknowledged within the time.
    private double rate(Append append) throws Exception {
        var room = new Semaphore(IN_FLIGHT);
        Queue<Throwable> failures = new ConcurrentLinkedQueue<>();
        long from = System.nanoTime();
        long until = from + time.toNanos();
        long sent = 0;
        while (System.nanoTime() < until && failures.isEmpty()) {
            room.acquire();
            append.send(room, failures);
            sent++;
        }
        room.acquire(IN_FLIGHT);
        if (!failures.isEmpty()) {
            throw new IllegalStateException("an append failed", failures.peek());
        }
        return sent / ((System.nanoTime() - from) / 1e9);
    }
}
