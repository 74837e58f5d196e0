package io.cleave.query;

import io.cleave.base.Bytes;
import io.cleave.base.Check;
import io.cleave.base.Direction;
import io.cleave.schema.KeyRange;
import io.cleave.schema.RowVersion;
import io.cleave.schema.Table;
import io.cleave.schema.VersionLimits;
import io.cleave.txn.ForwardingTransaction;
import io.cleave.txn.ReadColumns;
import io.cleave.txn.RowStream;
import io.cleave.txn.RowWrite;
import io.cleave.txn.Transaction;
import io.cleave.value.Value;

import org.jspecify.annotations.Nullable;

import java.util.List;

/// A transaction that sees only a key range of one table. Other tables are not restricted.
final class RangeTransaction extends ForwardingTransaction {
    private final Table table;
    private final KeyRange range;

    RangeTransaction(Transaction transaction, Table table, KeyRange range) {
        super(transaction);
        this.table = table;
        this.range = range;
    }

    @Override
    public Value @Nullable [] get(Bytes key, ReadColumns columns) {
        return isBounded(columns) && !range.contains(key) ? null : transaction.get(key, columns);
    }

    @Override
    public List<RowVersion> versions(Bytes key, ReadColumns columns, VersionLimits limits) {
        return isBounded(columns) && !range.contains(key)
                ? List.of()
                : transaction.versions(key, columns, limits);
    }

    @Override
    public RowStream scan(KeyRange wanted, ReadColumns columns, Direction direction) {
        if (!isBounded(columns)) {
            return transaction.scan(wanted, columns, direction);
        }
        KeyRange part = wanted.intersection(range);
        return part.isEmpty() ? new NoRows() : transaction.scan(part, columns, direction);
    }

    private boolean isBounded(ReadColumns columns) {
        return columns.table().id() == table.id();
    }

    @Override
    public void write(Table written, Bytes key, RowWrite write) {
        Check.that(written.id() != table.id() || range.contains(key), "not in the range");
        transaction.write(written, key, write);
    }

    private static final class NoRows implements RowStream {
        @Override
        public boolean next() {
            return false;
        }

        @Override
        public Value[] row() {
            throw new IllegalStateException("there are no rows");
        }

        @Override
        public void close() {}
    }
}
