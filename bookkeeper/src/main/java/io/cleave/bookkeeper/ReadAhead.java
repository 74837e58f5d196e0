package io.cleave.bookkeeper;

import com.google.errorprone.annotations.concurrent.GuardedBy;

import org.jspecify.annotations.Nullable;

import java.lang.ref.SoftReference;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.IntFunction;

/// The scans over one blob, told from reads at random places by where they begin: at the end of an
/// earlier read. Each has a window of entries that were asked for before it comes to them; it
/// doubles with every read up to [#MOST_ENTRIES]. Threads: any.
final class ReadAhead {
    private static final int MOST_ENTRIES = 16;

    /// Scans of one blob that are told apart; of more, those are forgotten that went on longest
    /// ago.
    private static final int MOST_SCANS = 4;

    private final ReentrantLock lock = new ReentrantLock();

    /// The latest first.
    @GuardedBy("lock")
    private final Deque<Scan> scans = new ArrayDeque<>();

    /// The bytes `[from, to)`, and the entries they are in, from the first to the last.
    record Span(long from, long to, int firstEntry, int lastEntry) {}

    /// Entries on their way. One that is not is fetched.
    record Window(Map<Integer, CompletableFuture<byte[]>> entries) {
        private static final Window NONE = new Window(Map.of());

        CompletableFuture<byte[]> take(int entry, IntFunction<CompletableFuture<byte[]>> fetch) {
            CompletableFuture<byte[]> known = entries.get(entry);
            // One that failed is tried again: the scan may have stood still for long.
            return known == null || known.isCompletedExceptionally() ? fetch.apply(entry) : known;
        }
    }

    /// @param nextOffset where the next read begins, if it belongs to this scan
    /// @param entries how many are fetched ahead
    /// @param window memory that the collector may have back when it is short of it
    private record Scan(
            long nextOffset, int entries, SoftReference<@Nullable Window> window) {}

    /// Of the scan that goes on with this span; an empty one if the span is the first of its kind.
    Window window(Span span, int entryCount, IntFunction<CompletableFuture<byte[]>> fetch) {
        Scan before = takeScan(span.from);
        @Nullable Window window = null;
        int entries = 1;
        if (before != null) {
            window = before.window.get();
            if (window == null) {
                window = new Window(new ConcurrentHashMap<>());
            }
            entries = Math.min(2 * before.entries, MOST_ENTRIES);
            window.entries.keySet().removeIf(entry -> entry < span.firstEntry);
            int to = (int) Math.min(entryCount, (long) span.lastEntry + 1 + entries);
            for (int entry = span.firstEntry; entry < to; entry++) {
                // What is long is fetched by its own read, a bounded number at a time.
                if (entry > span.lastEntry || entry == span.firstEntry) {
                    window.entries.computeIfAbsent(entry, fetch::apply);
                }
            }
        }
        if (span.lastEntry + 1 < entryCount) {
            remember(new Scan(span.to, entries, new SoftReference<>(window)));
        }
        return window == null ? Window.NONE : window;
    }

    private @Nullable Scan takeScan(long offset) {
        lock.lock();
        try {
            for (Scan scan : scans) {
                if (scan.nextOffset == offset) {
                    scans.remove(scan);
                    return scan;
                }
            }
            return null;
        } finally {
            lock.unlock();
        }
    }

    private void remember(Scan scan) {
        lock.lock();
        try {
            scans.addFirst(scan);
            if (scans.size() > MOST_SCANS) {
                scans.removeLast();
            }
        } finally {
            lock.unlock();
        }
    }
}
