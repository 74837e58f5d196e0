package io.cleave.query;

import io.cleave.txn.Isolation;

/// The transaction in which a query runs, and whether it ends with the query.
public sealed interface TxControl {
    /// A new transaction.
    record Begin(Isolation isolation, boolean commit) implements TxControl {}

    /// A transaction that an earlier query or call left open.
    record Existing(String txId, boolean commit) implements TxControl {}

    /// The request names no transaction. The data statements of the text run in one serializable
    /// transaction, which is committed at the end. Each scheme statement runs alone.
    record Implicit() implements TxControl {}

    TxControl IMPLICIT = new Implicit();

    /// A transaction that begins and commits with the query.
    static TxControl auto(Isolation isolation) {
        return new Begin(isolation, true);
    }
}
