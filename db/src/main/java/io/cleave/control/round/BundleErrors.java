package io.cleave.control.round;

import com.google.errorprone.annotations.concurrent.GuardedBy;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.ReentrantLock;

/// Why bundles were not balanced as their settings say, in the last 24 hours. An error that comes
/// again replaces its earlier one.
///
/// Threads: any.
public final class BundleErrors {
    static final Duration KEPT = Duration.ofDays(1);

    /// Limit of the errors of a bundle; the oldest ones go first.
    static final int MOST_OF_BUNDLE = 100;

    /// Limit of the length of a text, in characters. Texts quote names that clients choose.
    static final int MOST_TEXT = 2000;

    private final ReentrantLock lock = new ReentrantLock();

    /// The time of the latest occurrence by text, oldest first; by bundle.
    @GuardedBy("lock")
    private final Map<String, LinkedHashMap<String, Long>> errors = new HashMap<>();

    /// An error of a bundle.
    ///
    /// @param micros when it occurred last
    public record BundleError(long micros, String text) {}

    void add(String bundle, String given, long nowMicros) {
        String text = given.length() > MOST_TEXT ? given.substring(0, MOST_TEXT) + "…" : given;
        lock.lock();
        try {
            LinkedHashMap<String, Long> ofBundle =
                    errors.computeIfAbsent(bundle, _ -> new LinkedHashMap<>());
            ofBundle.remove(text);
            if (ofBundle.size() == MOST_OF_BUNDLE) {
                ofBundle.pollFirstEntry();
            }
            ofBundle.put(text, nowMicros);
        } finally {
            lock.unlock();
        }
    }

    /// Forgets errors that are too old.
    void expire(long nowMicros) {
        long oldest = nowMicros - KEPT.toNanos() / 1000;
        lock.lock();
        try {
            errors.values().forEach(each -> each.values().removeIf(micros -> micros < oldest));
            errors.values().removeIf(Map::isEmpty);
        } finally {
            lock.unlock();
        }
    }

    /// The errors of a bundle, oldest first.
    public List<BundleError> of(String bundle) {
        lock.lock();
        try {
            List<BundleError> found = new ArrayList<>();
            errors.getOrDefault(bundle, new LinkedHashMap<>())
                    .forEach((text, micros) -> found.add(new BundleError(micros, text)));
            return found;
        } finally {
            lock.unlock();
        }
    }
}
