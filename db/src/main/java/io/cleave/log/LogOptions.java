package io.cleave.log;

import io.cleave.base.Check;

/// A segment ends when it has `segmentBytes` bytes. Appends wait while `queueBytes` bytes are
/// queued.
public record LogOptions(long segmentBytes, long queueBytes) {
    public static final LogOptions DEFAULT = new LogOptions(64L << 20, 32L << 20);

    public LogOptions {
        Check.that(segmentBytes > 0, "segmentBytes %d", segmentBytes);
        Check.that(queueBytes > 0, "queueBytes %d", queueBytes);
    }
}
