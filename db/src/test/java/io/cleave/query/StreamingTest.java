package io.cleave.query;

import static org.assertj.core.api.Assertions.assertThat;

import io.cleave.access.Caller;
import io.cleave.base.Bytes;
import io.cleave.function.call.Dialect;
import io.cleave.plan.Program.ResultShape;
import io.cleave.schema.Table;
import io.cleave.testkit.TestStore;
import io.cleave.txn.CommitOutcome;
import io.cleave.txn.Isolation;
import io.cleave.txn.RowWrite;
import io.cleave.txn.Transactions.KeyedWrite;
import io.cleave.value.KeyCodec;
import io.cleave.value.Type.Primitive;
import io.cleave.value.Value;

import org.junit.jupiter.api.Test;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/// Rows of a large result pass through: what a query keeps does not grow with them, and whoever
/// takes them slowly holds up only its own query.
class StreamingTest {
    private static final int ROWS = 200_000;
    private static final int MOST_BYTES = 16 << 20;

    private final TestStore store = new TestStore();
    private final Database database = Databases.of(store);

    @Test
    void aLargeResultTakesLittleMemoryAndHoldsNobodyUp() {
        Session session = database.as(Caller.IN_PROCESS).openSession();
        run(session, "CREATE TABLE t (k Int64, v Utf8, PRIMARY KEY (k))", new Counted());
        Table table = store.cluster().find("/local/t").orElseThrow();
        fill(table);
        for (String query : List.of("SELECT * FROM t", "SELECT v FROM t WHERE k >= 0")) {
            var slow = new Slow(table);
            run(session, query, slow);
            assertThat(slow.rows).isGreaterThanOrEqualTo(ROWS);
            assertThat(slow.mostBytes - slow.firstBytes).isLessThan(MOST_BYTES);
        }
    }

    private void run(Session session, String text, Results results) {
        database.run(
                session,
                new QueryText(text, Map.of(), Dialect.QUERY_SERVICE),
                new QueryRun(
                        new TxControl.Implicit(),
                        Map.of(),
                        ResultLimits.NONE,
                        Cancellation.byDefault(store.env())),
                results);
    }

    private void fill(Table table) {
        List<KeyedWrite> batch = new ArrayList<>();
        for (long row = 0; row < ROWS; row++) {
            batch.add(new KeyedWrite(key(row), write("value " + row + "x".repeat(60))));
            if (batch.size() == 10_000) {
                store.transactions().bulkWrite(table, batch);
                batch = new ArrayList<>();
            }
        }
    }

    private static Bytes key(long row) {
        return KeyCodec.encode(List.of(Primitive.INT64), Value.of(row));
    }

    private static RowWrite write(String value) {
        return new RowWrite(RowWrite.Kind.REPLACE, new int[] {1}, new Value[] {Value.text(value)});
    }

    static class Counted implements Results {
        long rows;

        @Override
        public void transaction(String txId) {}

        @Override
        public void begin(int resultIndex, ResultShape shape) {}

        @Override
        public void row(int resultIndex, Value[] row) {
            rows++;
        }

        @Override
        public void end(int resultIndex, boolean truncated) {}
    }

    /// Looks at the heap now and then, and writes meanwhile.
    private final class Slow extends Counted {
        private final Table table;
        private long firstBytes;
        private long mostBytes;

        Slow(Table table) {
            this.table = table;
        }

        @Override
        public void row(int resultIndex, Value[] row) {
            super.row(resultIndex, row);
            if (rows == 1) {
                firstBytes = usedBytes();
            } else if (rows % 50_000 == 0) {
                mostBytes = Math.max(mostBytes, usedBytes());
                var other = store.transactions().begin(Isolation.SERIALIZABLE);
                other.write(table, key(rows), write("written meanwhile"));
                assertThat(other.commit()).isInstanceOf(CommitOutcome.Committed.class);
            }
        }

        private static long usedBytes() {
            System.gc();
            Runtime runtime = Runtime.getRuntime();
            return runtime.totalMemory() - runtime.freeMemory();
        }
    }
}
