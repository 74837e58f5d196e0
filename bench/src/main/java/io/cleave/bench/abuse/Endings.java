package io.cleave.bench.abuse;

import com.google.errorprone.annotations.concurrent.GuardedBy;

import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Predicate;

/// How the requests of an attack ended: the count of each status, with one example of its message.
/// It is passed between processes as lines of text.
///
/// Threads: any.
final class Endings {
    private static final int MAX_MESSAGE_CHARS = 200;

    private record Tally(long count, Ending example) {}

    private final ReentrantLock lock = new ReentrantLock();

    /// By status, and by whether the message names the limit.
    @GuardedBy("lock")
    private final Map<String, Tally> tallies = new TreeMap<>();

    void add(Ending ending) {
        add(1, ending);
    }

    void add(long count, Ending ending) {
        lock.lock();
        try {
            tallies.merge(
                    ending.status() + ending.namesLimit(),
                    new Tally(count, ending),
                    (old, _) -> new Tally(old.count() + count, old.example()));
        } finally {
            lock.unlock();
        }
    }

    long count(Predicate<Ending> which) {
        lock.lock();
        try {
            return tallies.values().stream()
                    .filter(tally -> which.test(tally.example()))
                    .mapToLong(Tally::count)
                    .sum();
        } finally {
            lock.unlock();
        }
    }

    /// One line for each status: count, name and example, separated by tabs.
    String lines() {
        lock.lock();
        try {
            var text = new StringBuilder();
            for (Tally tally : tallies.values()) {
                String message = tally.example().message().replaceAll("\\s+", " ");
                text.append(tally.count()).append('\t').append(tally.example().status());
                text.append('\t');
                text.append(message, 0, Math.min(message.length(), MAX_MESSAGE_CHARS));
                text.append('\n');
            }
            return text.toString();
        } finally {
            lock.unlock();
        }
    }

    void addLine(String line) {
        String[] parts = line.split("\t", -1);
        add(Long.parseLong(parts[0]), new Ending(parts[1], parts[2]));
    }
}
