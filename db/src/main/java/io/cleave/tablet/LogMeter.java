package io.cleave.tablet;

import java.util.Map;
import java.util.concurrent.ConcurrentSkipListMap;

/// How many bytes of log lie behind a position, to the nearest mark.
///
/// Threads: one at a time appends; anyone may ask.
final class LogMeter {
    private final long markBytes;

    /// Bytes before a position, for some positions.
    private final ConcurrentSkipListMap<Long, Long> marks = new ConcurrentSkipListMap<>();

    private volatile long bytes;

    /// The bytes before the first record that is kept.
    private volatile long goneBytes;

    // The appender's own.
    private long nextMarkBytes;

    LogMeter(long markBytes) {
        this.markBytes = Math.max(1, markBytes);
    }

    @SuppressWarnings("NonAtomicVolatileUpdate") // one appender
    void appended(long position, long recordBytes) {
        if (bytes >= nextMarkBytes) {
            marks.put(position, bytes);
            nextMarkBytes = bytes + markBytes;
        }
        bytes += recordBytes;
    }

    /// At least as many as there are from this position on.
    long bytesFrom(long position) {
        Map.Entry<Long, Long> mark = marks.floorEntry(position);
        return bytes - (mark == null ? goneBytes : mark.getValue());
    }

    /// All that ever went by here.
    long totalBytes() {
        return bytes;
    }

    /// What a restart has to read; the log may keep some more, up to a whole segment.
    long keptBytes() {
        return bytes - goneBytes;
    }

    /// What is before this position was given up.
    void trimmed(long before) {
        Map.Entry<Long, Long> mark = marks.floorEntry(before);
        if (mark != null) {
            goneBytes = mark.getValue();
            marks.headMap(mark.getKey()).clear();
        }
    }
}
