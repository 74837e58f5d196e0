package io.cleave.query;

import io.cleave.plan.Program;
import io.cleave.query.view.SystemViews;
import io.cleave.txn.Isolation;

import java.util.Optional;

/// Chooses the thread of a compiled query. A query that ends at once runs on the thread that
/// submits it, because a handover costs as much as the query. Three kinds of queries do:
///
/// - a read by key, or constants: it waits only for memory and files ([#runsWithoutWaiting]);
/// - another read in its own transaction: it is tried, and given up if it touches many rows
///   ([#mayBeShort]);
/// - a write in its own transaction that reads nothing: the log's thread ends it
///   ([#mayCommitLater]).
///
/// Every other query needs a thread that may wait.
///
/// Threads: any.
final class QueryThreads {
    private final CompiledRuns runs;

    QueryThreads(CompiledRuns runs) {
        this.runs = runs;
    }

    /// See [Database#submit].
    Placement submit(
            Session session, QueryText text, Compiled compiled, TxControl control, QueryCall call) {
        if (runsWithoutWaiting(compiled, control)) {
            call.succeeded(run(session, compiled, call.run(), call.fewResults()));
            return Placement.HERE;
        }
        if (mayBeShort(compiled, control)) {
            Optional<RunSummary> summary =
                    runIfShort(session, compiled, call.run(), call.fewResults());
            if (summary.isPresent()) {
                call.succeeded(summary.get());
                return Placement.HERE;
            }
        } else if (mayCommitLater(compiled, control)
                && call.mayEndLater()
                && runLater(session, compiled, call)) {
            return Placement.LATER;
        }
        return new Placement.NeedsThread(text, compiled);
    }

    /// See [Database#runHere].
    Optional<RunSummary> runHere(
            Session session, Compiled compiled, QueryRun run, Results results) {
        if (runsWithoutWaiting(compiled, run.control())) {
            return Optional.of(run(session, compiled, run, results));
        }
        return mayBeShort(compiled, run.control())
                ? runIfShort(session, compiled, run, results)
                : Optional.empty();
    }

    /// Runs a program on this thread, which may wait.
    RunSummary run(Session session, Compiled compiled, QueryRun run, Results results) {
        try (Session.Use use = session.enter(run.cancellation())) {
            return runs.run(use, compiled, run, results);
        }
    }

    /// Whether a run waits only for memory and files: it has no commit, no scan and no catalog
    /// change.
    static boolean runsWithoutWaiting(Compiled compiled, TxControl control) {
        return switch (control) {
            case TxControl.Begin _, TxControl.Implicit _ -> isLight(compiled);
            // A commit of earlier writes would have to wait for the log.
            case TxControl.Existing(String _, boolean commit) -> !commit && isLight(compiled);
        };
    }

    private static boolean isLight(Compiled compiled) {
        return switch (compiled.program().kind()) {
            case CONSTANT -> LightWork.is(compiled.program());
            // A read of one row of a system view makes all its rows.
            case POINT_READ -> !readsView(compiled);
            case READ, WRITE, BATCH, SCHEME -> false;
        };
    }

    private static boolean readsView(Compiled compiled) {
        for (Compiled.TableAt table : compiled.tables()) {
            if (SystemViews.holds(table.id())) {
                return true;
            }
        }
        return false;
    }

    /// Whether it is worth trying [#runIfShort].
    static boolean mayBeShort(Compiled compiled, TxControl control) {
        boolean alone =
                switch (control) {
                    case TxControl.Begin(Isolation _, boolean commit) -> commit;
                    case TxControl.Implicit _ -> true;
                    case TxControl.Existing _ -> false;
                };
        return alone
                && compiled.program().kind() == Program.Kind.READ
                && compiled.shortRuns().isWorthATry();
    }

    /// Runs a read in its own transaction, if it touches few rows. Then it waits only for memory
    /// and files. Empty if it touches too many rows; the caller must then discard what `results`
    /// received.
    Optional<RunSummary> runIfShort(
            Session session, Compiled compiled, QueryRun run, Results results) {
        try (Session.Use use = session.enter(run.cancellation())) {
            return Optional.of(runs.runIfShort(use, compiled, run, results));
        } catch (ShortRuns.TooLong _) {
            compiled.shortRuns().wasLong();
            return Optional.empty();
        }
    }

    /// Whether it is worth trying [#runLater].
    static boolean mayCommitLater(Compiled compiled, TxControl control) {
        boolean alone =
                switch (control) {
                    case TxControl.Begin(Isolation isolation, boolean commit) ->
                            commit && isolation == Isolation.SERIALIZABLE;
                    case TxControl.Implicit _ -> true;
                    case TxControl.Existing _ -> false;
                };
        return alone && LightWork.isWrite(compiled.program());
    }

    /// Runs a write in its own transaction up to its commit, and does not wait for the commit. The
    /// call gets the result when the log has the commit. Returns false if the run would have to
    /// wait for something else; then nothing has happened.
    boolean runLater(Session session, Compiled compiled, QueryCall call) {
        QueryRun run = call.run();
        Session.Use use = session.enter(run.cancellation());
        boolean taken = false;
        try {
            taken = runs.runLater(use, compiled, run, call);
        } finally {
            if (!taken) {
                use.close();
            }
        }
        return taken;
    }
}
