package io.cleave.query;

import io.cleave.base.StatusException;

/// A query that a front end submits to [Database#submit], and the way of its result to the client.
///
/// Threads: [#succeeded] and [#failed] may come from the log's thread, even before `submit` has
/// returned. Everything else is called by the submitting thread.
public interface QueryCall {
    /// The values of the parameters, the transaction and the limits. Called just before the query
    /// runs, because decoding the parameters of a query that then needs another thread would hold
    /// up the submitting one.
    QueryRun run();

    /// Receives the rows of a run on the submitting thread. They are few. They must be kept until
    /// [#succeeded], because a run that becomes long is given up and starts again on another
    /// thread.
    Results fewResults();

    /// Whether the log's thread may call [#succeeded] or [#failed]. False if that would take long.
    /// Asked at most once, before a write that would end there.
    boolean mayEndLater();

    /// The query has ended, and its session is free for the next one. Must not block.
    void succeeded(RunSummary summary);

    /// The commit of a query that was to end later has failed. Every other failure is thrown by
    /// `submit`. Must not block.
    void failed(StatusException why);
}
