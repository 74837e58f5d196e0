package io.cleave.query;

import io.cleave.base.Bytes;
import io.cleave.base.Direction;
import io.cleave.schema.KeyRange;
import io.cleave.schema.RowVersion;
import io.cleave.schema.Table;
import io.cleave.schema.VersionLimits;
import io.cleave.txn.CommitOutcome;
import io.cleave.txn.Isolation;
import io.cleave.txn.ReadColumns;
import io.cleave.txn.RowLockTransaction;
import io.cleave.txn.RowStream;
import io.cleave.txn.RowWrite;
import io.cleave.txn.Transaction;
import io.cleave.txn.Transactions;
import io.cleave.value.Value;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.List;

/// Transactions without rows that remember how they ended.
final class RecordedTransactions implements Transactions {
    enum End {
        OPEN,
        COMMITTED,
        ROLLED_BACK
    }

    final List<Recorded> begun = new ArrayList<>();
    CommitOutcome outcome = new CommitOutcome.Committed(1);

    @Override
    public Transaction begin(Isolation isolation) {
        Recorded transaction = new Recorded(isolation);
        begun.add(transaction);
        return transaction;
    }

    @Override
    public Transaction beginAt(long timestamp) {
        throw new UnsupportedOperationException();
    }

    @Override
    public RowLockTransaction beginWithRowLocks() {
        throw new UnsupportedOperationException();
    }

    @Override
    public void bulkWrite(Table table, List<KeyedWrite> rows) {
        throw new UnsupportedOperationException();
    }

    List<End> ends() {
        return begun.stream().map(transaction -> transaction.end).toList();
    }

    final class Recorded implements Transaction {
        private final Isolation isolation;
        End end = End.OPEN;

        Recorded(Isolation isolation) {
            this.isolation = isolation;
        }

        @Override
        public Isolation isolation() {
            return isolation;
        }

        @Override
        public Value @Nullable [] get(Bytes key, ReadColumns columns) {
            return null;
        }

        @Override
        public List<RowVersion> versions(Bytes key, ReadColumns columns, VersionLimits limits) {
            throw new UnsupportedOperationException();
        }

        @Override
        public RowStream scan(KeyRange range, ReadColumns columns, Direction direction) {
            throw new UnsupportedOperationException();
        }

        @Override
        public void write(Table table, Bytes key, RowWrite write) {}

        @Override
        public long nextValue(Table table, int column) {
            throw new UnsupportedOperationException();
        }

        @Override
        public boolean hasWrites() {
            return false;
        }

        @Override
        public CommitOutcome commit() {
            end = outcome instanceof CommitOutcome.Committed ? End.COMMITTED : End.ROLLED_BACK;
            return outcome;
        }

        @Override
        public void rollback() {
            if (end == End.OPEN) {
                end = End.ROLLED_BACK;
            }
        }
    }
}
