package io.cleave.query;

import io.cleave.base.Bytes;
import io.cleave.base.Direction;
import io.cleave.schema.KeyRange;
import io.cleave.schema.RowVersion;
import io.cleave.schema.Table;
import io.cleave.schema.VersionLimits;
import io.cleave.txn.BatchStream;
import io.cleave.txn.ColumnBatch;
import io.cleave.txn.ForwardingTransaction;
import io.cleave.txn.ReadColumns;
import io.cleave.txn.RowStream;
import io.cleave.txn.RowWrite;
import io.cleave.txn.ScanPart;
import io.cleave.txn.Transaction;
import io.cleave.value.Value;

import org.jspecify.annotations.Nullable;

import java.util.List;
import java.util.Optional;
import java.util.function.IntConsumer;

/// A transaction that tells how many rows are read from it and written to it, as it happens.
final class CountedTransaction extends ForwardingTransaction {
    private final IntConsumer touched;

    CountedTransaction(Transaction transaction, IntConsumer touched) {
        super(transaction);
        this.touched = touched;
    }

    @Override
    public Value @Nullable [] get(Bytes key, ReadColumns columns) {
        touched.accept(1);
        return transaction.get(key, columns);
    }

    @Override
    public List<RowVersion> versions(Bytes key, ReadColumns columns, VersionLimits limits) {
        touched.accept(1);
        return transaction.versions(key, columns, limits);
    }

    @Override
    public Value[] @Nullable [] getAll(List<Bytes> keys, ReadColumns columns) {
        touched.accept(keys.size());
        return transaction.getAll(keys, columns);
    }

    @Override
    public RowStream scan(KeyRange range, ReadColumns columns, Direction direction) {
        RowStream rows = transaction.scan(range, columns, direction);
        return new RowStream() {
            @Override
            public boolean next() {
                touched.accept(1);
                return rows.next();
            }

            @Override
            public Value[] row() {
                return rows.row();
            }

            @Override
            public void close() {
                rows.close();
            }
        };
    }

    @Override
    public Optional<BatchStream> scanBatches(KeyRange range, ReadColumns columns) {
        return transaction.scanBatches(range, columns).map(this::counted);
    }

    @Override
    public Optional<List<ScanPart>> scanParts(
            List<KeyRange> ranges, ReadColumns columns, long partBytes) {
        return transaction
                .scanParts(ranges, columns, partBytes)
                .map(
                        parts ->
                                parts.stream()
                                        .<ScanPart>map(part -> () -> counted(part.open()))
                                        .toList());
    }

    private BatchStream counted(BatchStream batches) {
        return new BatchStream() {
            @Override
            public @Nullable ColumnBatch next() {
                ColumnBatch batch = batches.next();
                touched.accept(batch == null ? 1 : batch.rows());
                return batch;
            }

            @Override
            public void close() {
                batches.close();
            }
        };
    }

    @Override
    public void write(Table table, Bytes key, RowWrite write) {
        touched.accept(1);
        transaction.write(table, key, write);
    }
}
