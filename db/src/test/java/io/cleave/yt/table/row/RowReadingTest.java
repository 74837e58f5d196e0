package io.cleave.yt.table.row;

import static org.assertj.core.api.Assertions.assertThat;

import io.cleave.access.Caller;
import io.cleave.base.Bytes;
import io.cleave.base.Direction;
import io.cleave.base.SystemEnv;
import io.cleave.memory.MemoryPool;
import io.cleave.query.KeyedRows;
import io.cleave.query.KeyedTable;
import io.cleave.schema.KeyRange;
import io.cleave.schema.RowVersion;
import io.cleave.schema.Table;
import io.cleave.schema.VersionLimits;
import io.cleave.testkit.TestStore;
import io.cleave.txn.ForwardingTransaction;
import io.cleave.txn.ReadColumns;
import io.cleave.txn.RowStream;
import io.cleave.txn.RowWrite;
import io.cleave.txn.Transaction;
import io.cleave.value.Value;
import io.cleave.yt.command.FakeCall;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;

class RowReadingTest {
    private static final int ROW_BYTES = 1 << 20;
    private static final int KEYS = 50;

    /// A small request can ask for the same large row many times.
    @Test
    void oneRowAtATimeIsInMemory() {
        var results = new MemoryPool("results", 2 * ROW_BYTES, new SystemEnv());
        try (var bench = new RowBench(new TestStore(1))) {
            assertThat(bench.yql("CREATE TABLE t (k Int64, v String, PRIMARY KEY (k))")).isEmpty();
            bench.yql(
                    "UPSERT INTO t (k, v) SELECT 1l, String::LeftPad('', %d)".formatted(ROW_BYTES));
            KeyedRows rows = bench.database().as(Caller.IN_PROCESS).keyedRows();
            KeyedTable table = rows.find("/local/t").orElseThrow();
            Bytes key = table.key(new Value[] {new Value.Int(1)});
            FakeCall call = FakeCall.of("{}");
            var mostUsed = new AtomicInteger();
            Transaction transaction =
                    new Watched(
                            rows.beginNewest(),
                            () -> mostUsed.accumulateAndGet((int) results.usedBytes(), Math::max));
            new RowReading(results, call, new WireTable(table).lookup(Optional.empty()), false)
                    .run(transaction, Collections.nCopies(KEYS, key));
            transaction.rollback();
            assertThat(call.rowsAnswered().lines()).hasSize(KEYS);
            assertThat(mostUsed.get()).isBetween(ROW_BYTES, 2 * ROW_BYTES);
            assertThat(results.usedBytes()).isZero();
        }
    }

    /// Runs something before each lookup of a row.
    private static final class Watched extends ForwardingTransaction {
        private final Runnable before;

        Watched(Transaction transaction, Runnable before) {
            super(transaction);
            this.before = before;
        }

        @Override
        public Value @Nullable [] get(Bytes key, ReadColumns columns) {
            before.run();
            return transaction.get(key, columns);
        }

        @Override
        public List<RowVersion> versions(Bytes key, ReadColumns columns, VersionLimits limits) {
            return transaction.versions(key, columns, limits);
        }

        @Override
        public RowStream scan(KeyRange range, ReadColumns columns, Direction direction) {
            return transaction.scan(range, columns, direction);
        }

        @Override
        public void write(Table table, Bytes key, RowWrite write) {
            transaction.write(table, key, write);
        }
    }
}
