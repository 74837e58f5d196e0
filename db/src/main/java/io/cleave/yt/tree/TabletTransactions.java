package io.cleave.yt.tree;

import io.cleave.schema.ObjectId;
import io.cleave.yt.command.CommandCall;

/// Transactions on rows. The commands on transactions use this interface if the type of the
/// transaction is `tablet`, or if its id says so (type 2 or 3 of [ObjectId]). Implemented by the
/// package of rows.
///
/// Threads: any. Errors are a `YtException`.
public interface TabletTransactions {
    /// Begins a transaction with the parameters of the call.
    ObjectId start(CommandCall call);

    void ping(ObjectId id);

    /// Commits the transaction, and answers the call.
    void commit(CommandCall call, ObjectId id);

    void abort(ObjectId id);
}
