package io.cleave.yt;

import io.cleave.query.Database;
import io.cleave.schema.ObjectId;
import io.cleave.schema.ObjectType;
import io.cleave.txn.Transaction;
import io.cleave.yt.command.CommandCall;
import io.cleave.yt.command.YtTimestamps;
import io.cleave.yt.table.query.QuerySnapshots;
import io.cleave.yt.table.row.RowTransactions;

import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Function;

/// Finds the snapshot that a query reads. The parameter `timestamp` gives it, or else the tablet
/// transaction that the call names.
final class TransactionSnapshots implements QuerySnapshots {
    private final Database database;
    private final RowTransactions transactions;

    TransactionSnapshots(Database database, RowTransactions transactions) {
        this.database = database;
        this.transactions = transactions;
    }

    @Override
    public <T> T reading(CommandCall call, Function<Optional<Transaction>, T> work) {
        OptionalLong past = YtTimestamps.readAt(call.parameters(), "timestamp");
        if (past.isPresent()) {
            Transaction transaction =
                    database.as(call.caller()).keyedRows().beginAt(past.getAsLong());
            try {
                return work.apply(Optional.of(transaction));
            } finally {
                transaction.rollback();
            }
        }
        Optional<ObjectId> open =
                call.parameters()
                        .text("transaction_id")
                        .flatMap(ObjectId::parse)
                        .filter(TransactionSnapshots::isOfTablets);
        return open.isPresent()
                ? transactions.reading(
                        open.get(), transaction -> work.apply(Optional.of(transaction.reads())))
                : work.apply(Optional.empty());
    }

    private static boolean isOfTablets(ObjectId id) {
        return id.typeCode() == ObjectType.ATOMIC_TABLET_TRANSACTION.code()
                || id.typeCode() == ObjectType.NON_ATOMIC_TABLET_TRANSACTION.code();
    }
}
