package io.cleave.query;

import io.cleave.base.Issue;
import io.cleave.base.Status;
import io.cleave.base.StatusException;
import io.cleave.txn.CommitOutcome;
import io.cleave.txn.Transaction;

import org.jspecify.annotations.Nullable;

/// Translates the outcome of a commit to what the client is told.
final class Commits {
    private Commits() {}

    /// Commits, or throws the failure. In both cases the transaction has ended.
    static void commit(Transaction transaction) {
        StatusException failure = failure(transaction.commit());
        if (failure != null) {
            throw failure;
        }
    }

    /// The failure; null if the transaction was committed.
    static @Nullable StatusException failure(CommitOutcome outcome) {
        return switch (outcome) {
            case CommitOutcome.Committed _ -> null;
            case CommitOutcome.Conflict(String table, _) ->
                    new StatusException(
                            Status.ABORTED,
                            Issue.error(
                                    Issue.LOCKS_INVALIDATED,
                                    "Transaction locks invalidated. Table: `" + table + "`."));
            case CommitOutcome.Unknown(String why) ->
                    new StatusException(
                            Status.UNDETERMINED,
                            Issue.error("State of the commit is unknown: " + why));
        };
    }
}
