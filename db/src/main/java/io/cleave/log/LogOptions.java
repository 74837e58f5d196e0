package io.cleave.log;

import io.cleave.base.Check;

/// A segment is ended when it has reached `segmentBytes`; appends wait while `queueBytes` are
/// queued.
public record LogOptions(long segmentBytes, long queueBytes) {
    public static final LogOptions DEFAULT = new LogOptions(64L << 20, 32L << 20);

    public LogOptions {
        Check.that(segmentBytes > 0, "segmentBytes %d", segmentBytes);
        Check.that(queueBytes > 0, "queueBytes %d", queueBytes);
    }
}
