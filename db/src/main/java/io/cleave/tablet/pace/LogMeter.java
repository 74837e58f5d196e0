package io.cleave.tablet.pace;

import java.util.Map;
import java.util.concurrent.ConcurrentSkipListMap;

/// Measures how many bytes of log follow a position, rounded up to a mark.
///
/// Threads: one thread at a time appends; any may ask.
public final class LogMeter {
    private final long markBytes;

    /// For some positions, the number of bytes before them.
    private final ConcurrentSkipListMap<Long, Long> marks = new ConcurrentSkipListMap<>();

    private volatile long bytes;

    /// The number of bytes before the first record that is kept.
    private volatile long goneBytes;

    // Used only by the appending thread.
    private long nextMarkBytes;

    public LogMeter(long markBytes) {
        this.markBytes = Math.max(1, markBytes);
    }

    @SuppressWarnings("NonAtomicVolatileUpdate") // one appender
    public void appended(long position, long recordBytes) {
        if (bytes >= nextMarkBytes) {
            marks.put(position, bytes);
            nextMarkBytes = bytes + markBytes;
        }
        bytes += recordBytes;
    }

    /// The number of bytes from this position on, rounded up.
    public long bytesFrom(long position) {
        Map.Entry<Long, Long> mark = marks.floorEntry(position);
        return bytes - (mark == null ? goneBytes : mark.getValue());
    }

    /// All bytes that were ever appended.
    public long totalBytes() {
        return bytes;
    }

    /// The number of bytes that a restart has to read. The log may keep up to a segment more.
    public long keptBytes() {
        return bytes - goneBytes;
    }

    /// Called when the log before this position was trimmed.
    public void trimmed(long before) {
        Map.Entry<Long, Long> mark = marks.floorEntry(before);
        if (mark != null) {
            goneBytes = mark.getValue();
            marks.headMap(mark.getKey()).clear();
        }
    }
}
