package io.cleave.txn;

import io.cleave.schema.Table;

import java.util.OptionalLong;
import java.util.function.Consumer;

/// Passes every call except reads and writes of rows on to another transaction. A subclass has to
/// say what it reads and writes. Until it overrides them too, reads of several keys are single
/// reads, and scans have no batches and no parts.
///
/// Threads: one at a time, as every [Transaction].
public abstract class ForwardingTransaction implements Transaction {
    protected final Transaction transaction;

    protected ForwardingTransaction(Transaction transaction) {
        this.transaction = transaction;
    }

    @Override
    public Isolation isolation() {
        return transaction.isolation();
    }

    @Override
    public void onScanStep(Runnable step) {
        transaction.onScanStep(step);
    }

    @Override
    public long nextValue(Table table, int column) {
        return transaction.nextValue(table, column);
    }

    @Override
    public boolean hasWrites() {
        return transaction.hasWrites();
    }

    @Override
    public void rest() {
        transaction.rest();
    }

    @Override
    public OptionalLong staleMicros() {
        return transaction.staleMicros();
    }

    @Override
    public CommitOutcome commit() {
        return transaction.commit();
    }

    @Override
    public boolean commitLater(Consumer<CommitOutcome> ended) {
        return transaction.commitLater(ended);
    }

    @Override
    public void rollback() {
        transaction.rollback();
    }
}
