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

/// Detects sequential scans of one blob and fetches entries ahead. A read belongs to a scan if it
/// begins where an earlier read ended. Each scan has a window of entries that are requested in
/// advance. The window doubles with every read, up to [#MOST_ENTRIES]. Threads: any.
final class ReadAhead {
    private static final int MOST_ENTRIES = 16;

    /// The number of scans of one blob that are remembered. The least recently used ones are
    /// forgotten.
    private static final int MOST_SCANS = 4;

    private final ReentrantLock lock = new ReentrantLock();

    /// The most recent first.
    @GuardedBy("lock")
    private final Deque<Scan> scans = new ArrayDeque<>();

    /// The bytes `[from, to)`, and the first and last entry that contain them.
    record Span(long from, long to, int firstEntry, int lastEntry) {}

    /// Entries that were requested. Other entries are fetched when they are taken.
    record Window(Map<Integer, CompletableFuture<byte[]>> entries) {
        private static final Window NONE = new Window(Map.of());

        CompletableFuture<byte[]> take(int entry, IntFunction<CompletableFuture<byte[]>> fetch) {
            CompletableFuture<byte[]> known = entries.get(entry);
            // A failed request is repeated, because the scan may have paused for long.
            return known == null || known.isCompletedExceptionally() ? fetch.apply(entry) : known;
        }
    }

    /// @param nextOffset where the next read of this scan begins
    /// @param entries how many are fetched ahead
    /// @param window softly referenced, so that the collector may free it when memory is short
    private record Scan(long nextOffset, int entries, SoftReference<@Nullable Window> window) {}

    /// The window of the scan that continues with this span; an empty one if a new scan begins.
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
                // The other entries of a long span are fetched by its own read, a bounded number at
                // a time.
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
