package io.cleave.yt.table.query;

import io.cleave.txn.Transaction;
import io.cleave.yt.command.CommandCall;

import java.util.Optional;
import java.util.function.Function;

/// Finds the moment that a query reads: that of the tablet transaction that the call names, or of
/// its parameter `timestamp`.
///
/// Threads: any.
public interface QuerySnapshots {
    /// Calls `work` with a transaction to read with, or with none if the newest rows are read. The
    /// transaction ends, or goes to another call, when `work` returns.
    <T> T reading(CommandCall call, Function<Optional<Transaction>, T> work);
}
