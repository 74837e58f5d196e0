package io.cleave.tablet;

import io.cleave.base.Bytes;

import java.util.List;

/// A key that was written in a span of time, and when.
public record ChangedKey(Bytes key, List<Long> timestamps) {
    public ChangedKey {
        timestamps = List.copyOf(timestamps);
    }
}
