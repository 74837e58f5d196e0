package io.cleave.query.view;

import io.cleave.access.Caller;

/// A session as its system view shows it. The time of an event that has not happened is 0.
public record SessionInfo(
        String id,
        boolean busy,
        String query,
        long queryCount,
        Caller caller,
        String processId,
        String userAgent,
        String sdk,
        String application,
        long startedMicros,
        long queryStartedMicros,
        long changedMicros) {}
