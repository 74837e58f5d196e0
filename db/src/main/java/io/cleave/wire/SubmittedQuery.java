package io.cleave.wire;

import io.cleave.base.StatusException;
import io.cleave.query.Database;
import io.cleave.query.Placement;
import io.cleave.query.Placement.NeedsThread;
import io.cleave.query.QueryCall;
import io.cleave.query.QueryText;
import io.cleave.query.RunSummary;
import io.cleave.query.Session;
import io.cleave.query.TxControl;

/// A query of either query service. The database chooses the thread that runs it; this class
/// provides the thread, and counts the query as in flight while it is not on the connection's
/// thread.
///
/// Threads: begins on the connection's thread; the answer is sent by that thread, by the log's
/// thread, or by a thread of its own.
abstract class SubmittedQuery implements QueryCall {
    private final Requests requests;

    /// Whether the query is counted as in flight because the log's thread may end it.
    private boolean endsLater;

    SubmittedQuery(Requests requests) {
        this.requests = requests;
    }

    /// Sends the result of a run on the connection's or the log's thread.
    abstract void answer(RunSummary summary);

    abstract void fail(Failure failure);

    /// Ends the call without an answer, because the answer cannot be sent.
    abstract void cutOff(Throwable why);

    /// Prepares the call for an answer from a thread of its own. The returned task runs the query
    /// there, and sends the answer. The task does not throw.
    abstract Runnable apart(NeedsThread query);

    /// Prepares the call for an answer from the log's thread. Returns false if making the answer
    /// takes long.
    abstract boolean prepareLater();

    final void submit(Database database, Session session, QueryText text, TxControl control) {
        Placement placement = null;
        try {
            placement = database.submit(session, text, control, this);
        } finally {
            if (endsLater && !(placement instanceof Placement.Later)) {
                requests.leave();
            }
        }
        if (placement instanceof NeedsThread query && !requests.spawn(apart(query))) {
            fail(requests.overloaded());
        }
    }

    @Override
    public final boolean mayEndLater() {
        endsLater = prepareLater() && requests.enter();
        return endsLater;
    }

    @Override
    public final void succeeded(RunSummary summary) {
        if (endsLater) {
            onLogThread(() -> answer(summary));
        } else {
            answer(summary);
        }
    }

    @Override
    public final void failed(StatusException why) {
        onLogThread(() -> fail(Failure.of(why)));
    }

    @SuppressWarnings("CatchThrowable") // the log's thread also serves others
    private void onLogThread(Runnable send) {
        try {
            send.run();
        } catch (Throwable thrown) {
            cutOff(thrown);
        } finally {
            requests.leave();
        }
    }
}
