package io.cleave.bench.abuse;

import com.google.errorprone.annotations.concurrent.GuardedBy;

import io.cleave.bench.Samples;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;

/// Requests `/healthz` ten times a second, each time on a new connection, as a load balancer does.
final class HealthProbe implements AutoCloseable {
    private static final Duration LIMIT = Duration.ofSeconds(2);
    private static final int INTERVAL_MILLIS = 100;

    private final Target target;
    private final byte[] request;
    private final Thread thread;
    private volatile boolean stopped;
    private final ReentrantLock lock = new ReentrantLock();

    @GuardedBy("lock")
    private Samples inServer = new Samples();

    @GuardedBy("lock")
    private Samples atClient = new Samples();

    @GuardedBy("lock")
    private long failures;

    @GuardedBy("lock")
    private String example = "";

    /// Times are in milliseconds, of the requests that were answered.
    record Report(
            int answers, long failures, String example, double slowest, double slowestAtClient) {}

    HealthProbe(Target target) {
        this.target = target;
        this.request =
                "GET /healthz HTTP/1.1\r\nHost: localhost:%d\r\nConnection: close\r\n\r\n"
                        .formatted(target.httpPort())
                        .getBytes(StandardCharsets.US_ASCII);
        this.thread = Thread.ofPlatform().daemon().name("health").start(this::askAll);
    }

    private void askAll() {
        try {
            while (!stopped) {
                ask();
                TimeUnit.MILLISECONDS.sleep(INTERVAL_MILLIS);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void ask() {
        long from = StampedSocket.wallNanos();
        try (var socket = StampedSocket.connect(Target.goodClient(), target.http(), LIMIT, LIMIT)) {
            socket.send(request);
            String answer = new String(socket.read(), StandardCharsets.UTF_8);
            long arrived = socket.arrivedNanos();
            if (!answer.startsWith("HTTP/1.1 200")) {
                throw new IOException("the answer is: " + answer.lines().findFirst().orElse(""));
            }
            answered(arrived - from, StampedSocket.wallNanos() - from);
        } catch (IOException e) {
            failed(String.valueOf(e.getMessage()));
        }
    }

    private void answered(long serverNanos, long clientNanos) {
        lock.lock();
        try {
            inServer.add(serverNanos);
            atClient.add(clientNanos);
        } finally {
            lock.unlock();
        }
    }

    private void failed(String why) {
        lock.lock();
        try {
            failures++;
            example = why;
        } finally {
            lock.unlock();
        }
    }

    /// The results since the last report.
    Report takeReport() {
        lock.lock();
        try {
            var report =
                    new Report(
                            inServer.count(),
                            failures,
                            example,
                            Samples.millisAt(List.of(inServer), 1000),
                            Samples.millisAt(List.of(atClient), 1000));
            inServer = new Samples();
            atClient = new Samples();
            failures = 0;
            example = "";
            return report;
        } finally {
            lock.unlock();
        }
    }

    @Override
    public void close() {
        stopped = true;
        try {
            thread.join();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
