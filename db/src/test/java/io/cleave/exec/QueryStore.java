package io.cleave.exec;

import io.cleave.plan.Program.SchemeStep;
import io.cleave.schema.Tables;
import io.cleave.txn.Transaction;

/// What a [QueryBench] runs texts against.
public interface QueryStore extends Tables {
    Transaction begin();

    /// For a query that only reads.
    default Transaction beginReading() {
        return begin();
    }

    void apply(SchemeStep step);
}
