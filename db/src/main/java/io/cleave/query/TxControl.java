package io.cleave.query;

import io.cleave.txn.Isolation;

/// Which transaction a query runs in, and whether it ends with the query.
public sealed interface TxControl {
    /// A new one.
    record Begin(Isolation isolation, boolean commit) implements TxControl {}

    /// One that an earlier query or call left open.
    record Existing(String txId, boolean commit) implements TxControl {}

    /// Nothing was said: the data statements of the text are one serializable transaction that is
    /// committed at the end; each scheme statement stands alone.
    record Implicit() implements TxControl {}

    TxControl IMPLICIT = new Implicit();

    /// Begins and commits with the query.
    static TxControl auto(Isolation isolation) {
        return new Begin(isolation, true);
    }
}
