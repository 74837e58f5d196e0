package io.cleave.query;

import io.cleave.txn.Transaction;

import java.util.Optional;

/// What a run reads, for front ends with transactions of their own.
///
/// @param transaction reads everything if it is present; it is neither committed nor ended by the
///   run, and the run must only read
/// @param limit of the rows that are read
public record RunReading(Optional<Transaction> transaction, Optional<ReadLimit> limit) {
    static final RunReading USUAL = new RunReading(Optional.empty(), Optional.empty());

    /// Whether the newest version of a single row may be read without a transaction.
    boolean suitsPoints() {
        return transaction.isEmpty() && (limit.isEmpty() || limit.get().admitsARow());
    }
}
