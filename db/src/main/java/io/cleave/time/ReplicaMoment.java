package io.cleave.time;

/// A moment at which read replicas are read, kept until it is released.
///
/// @param steadyMicros the time on the monotonic clock at which it was the newest
public record ReplicaMoment(long timestamp, long steadyMicros) {}
