package io.cleave.yt.table.query;

import io.cleave.txn.Transaction;
import io.cleave.yt.command.CommandCall;

import java.util.Optional;
import java.util.function.Function;

/// Finds the snapshot that a query reads. The call names a tablet transaction, or has a parameter
/// `timestamp`.
///
/// Threads: any.
public interface QuerySnapshots {
    /// Calls `work` with a transaction to read with, or with none if the query reads the newest
    /// rows. When `work` has returned, the transaction ends, or another call may use it.
    <T> T reading(CommandCall call, Function<Optional<Transaction>, T> work);
}
