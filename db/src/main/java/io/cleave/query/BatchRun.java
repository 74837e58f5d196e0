package io.cleave.query;

import io.cleave.base.Bytes;
import io.cleave.base.Check;
import io.cleave.base.Direction;
import io.cleave.base.Status;
import io.cleave.base.StatusException;
import io.cleave.plan.DataSteps;
import io.cleave.plan.Program;
import io.cleave.schema.Column;
import io.cleave.schema.KeyRange;
import io.cleave.schema.Table;
import io.cleave.txn.Isolation;
import io.cleave.txn.ReadColumns;
import io.cleave.txn.RowStream;
import io.cleave.txn.Transaction;
import io.cleave.txn.Transactions;
import io.cleave.value.KeyCodec;
import io.cleave.value.Type;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/// BATCH UPDATE and BATCH DELETE. The whole statement runs over one key range after the other, each
/// in its own transaction. If a range fails, the changes of the ranges before it remain.
final class BatchRun {
    /// The number of rows in the range of one transaction.
    static final int ROWS_AT_ONCE = 10_000;

    private static final int ATTEMPTS = 10;

    private final Transactions transactions;
    private final Cancellation cancellation;
    private final int rowsAtOnce;

    BatchRun(Transactions transactions, Cancellation cancellation) {
        this(transactions, cancellation, ROWS_AT_ONCE);
    }

    BatchRun(Transactions transactions, Cancellation cancellation, int rowsAtOnce) {
        this.transactions = transactions;
        this.cancellation = cancellation;
        this.rowsAtOnce = rowsAtOnce;
    }

    /// `body` runs the program in a transaction that sees only one range.
    void run(Program program, Consumer<Transaction> body) {
        Check.that(program.steps().size() == 1, "%d steps", program.steps().size());
        Table table = ((DataSteps.Write) program.steps().getFirst()).table();
        for (KeyRange range : ranges(table)) {
            runUntilCommitted(table, range, body);
        }
    }

    /// Ranges of `rowsAtOnce` rows each, by the keys that exist now. Together they cover all keys.
    private List<KeyRange> ranges(Table table) {
        List<Type> keyTypes = table.key().stream().map(Column::type).toList();
        List<KeyRange> ranges = new ArrayList<>();
        Bytes from = Bytes.EMPTY;
        int count = 0;
        Transaction transaction = transactions.begin(Isolation.SNAPSHOT_READ_ONLY);
        ReadColumns key = ReadColumns.of(table, table.keyColumns());
        try (RowStream rows = transaction.scan(KeyRange.ALL, key, Direction.FORWARD)) {
            while (rows.next()) {
                cancellation.check();
                if (count == rowsAtOnce) {
                    Bytes to = KeyCodec.encode(keyTypes, rows.row());
                    ranges.add(new KeyRange(from, to));
                    from = to;
                    count = 0;
                }
                count++;
            }
        } finally {
            transaction.rollback();
        }
        ranges.add(new KeyRange(from, null));
        return ranges;
    }

    /// Runs a range again after a conflict with a concurrent write.
    private void runUntilCommitted(Table table, KeyRange range, Consumer<Transaction> body) {
        for (int attempt = 1; true; attempt++) {
            cancellation.check();
            Transaction transaction = transactions.begin(Isolation.SERIALIZABLE);
            try {
                body.accept(new RangeTransaction(transaction, table, range));
                Commits.commit(transaction);
                return;
            } catch (StatusException e) {
                if (e.status() != Status.ABORTED || attempt == ATTEMPTS) {
                    throw e;
                }
            } finally {
                transaction.rollback();
            }
        }
    }
}
