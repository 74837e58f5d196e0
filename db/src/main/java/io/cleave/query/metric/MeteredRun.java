package io.cleave.query.metric;

import java.util.List;

/// A run that succeeded, as the metrics see it.
public interface MeteredRun {
    /// The meter of its program.
    QueryMeter meter();

    /// Whether it changed the schema.
    boolean changesScheme();

    /// How long its program took to compile; 0 if the program was in the cache.
    long compileMicros();

    boolean fromCache();

    /// The time until its rows were made and its writes collected, without the commit.
    long micros();

    List<TableAccess> accesses();

    long readBytes();

    QueryUse use(long durationMicros);
}
