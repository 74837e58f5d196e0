package io.cleave.query;

import org.jspecify.annotations.Nullable;

/// The answer of [Database#submit]: which thread answers a query.
public sealed interface Placement {
    Placement HERE = new Here();
    Placement LATER = new Later();

    /// The query ran on the submitting thread, and its call has the result.
    record Here() implements Placement {}

    /// The query ran up to its commit. The log's thread passes the result to the call.
    record Later() implements Placement {}

    /// Nothing has happened: the query may wait, or compute for long. A thread that may do so has
    /// to pass this value to `Database.run`.
    ///
    /// @param known the plan of the text, if it was in the cache
    record NeedsThread(QueryText text, @Nullable Compiled known) implements Placement {}
}
