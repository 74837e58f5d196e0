package io.cleave.query;

import io.cleave.base.Issue;
import io.cleave.base.Status;
import io.cleave.base.StatusException;
import io.cleave.txn.CommitOutcome;
import io.cleave.txn.Transaction;

/// What a client is told of a commit.
final class Commits {
    private Commits() {}

    /// Commits, or throws what went wrong; either way the transaction has ended.
    static void commit(Transaction transaction) {
        switch (transaction.commit()) {
            case CommitOutcome.Committed _ -> {}
            case CommitOutcome.Conflict(String table) ->
                    throw new StatusException(
                            Status.ABORTED,
                            Issue.error(
                                    Issue.LOCKS_INVALIDATED,
                                    "Transaction locks invalidated. Table: `" + table + "`."));
            case CommitOutcome.Unknown(String why) ->
                    throw new StatusException(
                            Status.UNDETERMINED,
                            Issue.error("State of the commit is unknown: " + why));
        }
    }
}
