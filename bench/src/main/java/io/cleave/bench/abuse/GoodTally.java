package io.cleave.bench.abuse;

import com.google.errorprone.annotations.concurrent.GuardedBy;

import io.cleave.bench.Samples;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/// The latencies of a good client's requests, and its failures. Threads: any.
final class GoodTally {
    /// A request without an answer after this time has failed.
    private static final Duration ANSWER_LIMIT = Duration.ofSeconds(10);

    private final ReentrantLock lock = new ReentrantLock();

    @GuardedBy("lock")
    private final Condition answered = lock.newCondition();

    /// A request belongs to the round in which it was sent.
    @GuardedBy("lock")
    private Round round = new Round();

    /// Times are in milliseconds.
    record Report(
            long requests,
            long sessions,
            long failures,
            String example,
            double p999,
            double slowest,
            double p999AtClient,
            double slowestAtClient) {}

    /// The requests between two reports. Guarded by the tally's lock.
    static final class Round {
        private final Samples inServer = new Samples();
        private final Samples atClient = new Samples();
        private long requests;
        private long sessions;
        private long failures;
        private long unanswered;
        private String example = "";
    }

    /// A request is about to be sent.
    Round asked() {
        lock.lock();
        try {
            round.requests++;
            round.unanswered++;
            return round;
        } finally {
            lock.unlock();
        }
    }

    void answered(Round of, long serverNanos, long clientNanos) {
        lock.lock();
        try {
            of.unanswered--;
            of.inServer.add(serverNanos);
            of.atClient.add(clientNanos);
            answered.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /// The request will get no answer. It counts as a slow one.
    void givenUp(Round of, long nanos, String why) {
        lock.lock();
        try {
            of.inServer.add(nanos);
            of.atClient.add(nanos);
        } finally {
            lock.unlock();
        }
        failed(of, why);
    }

    void failed(Round of, String why) {
        lock.lock();
        try {
            of.unanswered--;
            addFailure(of, why);
            answered.signalAll();
        } finally {
            lock.unlock();
        }
    }

    void sessionOpened() {
        lock.lock();
        try {
            round.sessions++;
        } finally {
            lock.unlock();
        }
    }

    void sessionFailed(String why) {
        lock.lock();
        try {
            addFailure(round, why);
        } finally {
            lock.unlock();
        }
    }

    private static void addFailure(Round of, String why) {
        of.failures++;
        if (of.example.isEmpty()) {
            of.example = why;
        }
    }

    /// Ends the round, and waits for its answers.
    Report takeReport() throws InterruptedException {
        lock.lock();
        try {
            Round ended = round;
            round = new Round();
            long left = ANSWER_LIMIT.toNanos();
            while (ended.unanswered > 0 && left > 0) {
                left = answered.awaitNanos(left);
            }
            for (long index = 0; index < ended.unanswered; index++) {
                addFailure(ended, "no answer within " + ANSWER_LIMIT.toSeconds() + " s");
                ended.inServer.add(ANSWER_LIMIT.toNanos());
                ended.atClient.add(ANSWER_LIMIT.toNanos());
            }
            List<Samples> inServer = List.of(ended.inServer);
            List<Samples> atClient = List.of(ended.atClient);
            return new Report(
                    ended.requests,
                    ended.sessions,
                    ended.failures,
                    ended.example,
                    Samples.millisAt(inServer, 999),
                    Samples.millisAt(inServer, 1000),
                    Samples.millisAt(atClient, 999),
                    Samples.millisAt(atClient, 1000));
        } finally {
            lock.unlock();
        }
    }
}
