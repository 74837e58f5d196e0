package io.cleave.query;

import com.sun.management.OperatingSystemMXBean;

import io.cleave.base.Bytes;
import io.cleave.exec.QueryBench;
import io.cleave.exec.RunOptions;
import io.cleave.schema.Table;
import io.cleave.testkit.TestStore;
import io.cleave.txn.RowWrite;
import io.cleave.txn.Transactions.KeyedWrite;
import io.cleave.value.KeyCodec;
import io.cleave.value.Type.Primitive;
import io.cleave.value.Value;

import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/// How long the shapes of TPC-H's q1 and q6 take over a line item table in memory. A main, not a
/// test: `GroupByTimes <rows> <Double|Decimal>`.
public final class GroupByTimes {
    private static final int BATCH_ROWS = 1000;

    private GroupByTimes() {}

    public static void main(String[] arguments) {
        int rows = Integer.parseInt(arguments[0]);
        boolean decimal = arguments[1].equals("Decimal");
        String number = decimal ? "Decimal(12,2)" : "Double";
        var store = new TestStore();
        var real = new RealStore(store, false);
        var bench = new QueryBench<>(real);
        System.out.println(
                bench.answer(
                        List.of(
                                """
                                CREATE TABLE lineitem (
                                    l_orderkey Int64, l_linenumber Int32, l_partkey Int64,
                                    l_suppkey Int64, l_quantity N, l_extendedprice N, l_discount N,
                                    l_tax N, l_returnflag Utf8, l_linestatus Utf8,
                                    l_shipdate Date, l_commitdate Date, l_receiptdate Date,
                                    l_shipinstruct Utf8, l_shipmode Utf8, l_comment Utf8,
                                    PRIMARY KEY (l_orderkey, l_linenumber))\
                                """
                                        .replace(" N", " " + number))));
        fill(store, real.find("/local/lineitem").orElseThrow(), rows, decimal);
        System.out.println(
                store.tablets()
                        .map(real.find("/local/lineitem").orElseThrow())
                        .routes()
                        .getFirst()
                        .tablet()
                        .statistics());
        String q1 =
                """
                SELECT l_returnflag, l_linestatus, SUM(l_quantity), SUM(l_extendedprice),
                    SUM(l_extendedprice * (1 - l_discount)),
                    SUM(l_extendedprice * (1 - l_discount) * (1 + l_tax)),
                    AVG(l_quantity), AVG(l_extendedprice), AVG(l_discount), COUNT(*)
                FROM lineitem WHERE l_shipdate <= Date('1998-09-02')
                GROUP BY l_returnflag, l_linestatus ORDER BY l_returnflag, l_linestatus\
                """;
        String low = decimal ? "Decimal('0.05', 12, 2)" : "0.05";
        String high = decimal ? "Decimal('0.07', 12, 2)" : "0.07";
        String q6 =
                """
                SELECT SUM(l_extendedprice * l_discount) FROM lineitem
                WHERE l_shipdate >= Date('1994-01-01') AND l_shipdate < Date('1995-01-01')
                    AND l_discount BETWEEN %s AND %s AND l_quantity < 24\
                """
                        .formatted(low, high);
        if (!decimal) {
            q1 = q1.replace("(1 ", "(1.0 ");
        }
        var byRow = new QueryBench<>(real, RunOptions.DEFAULT.byRow());
        for (String query : List.of(q1, q6)) {
            System.out.println(bench.answer(List.of(query)));
            for (int round = 0; round < 6; round++) {
                time("batches", bench, query);
            }
            time("by row", byRow, query);
        }
        System.exit(0);
    }

    private static void time(String how, QueryBench<RealStore> bench, String query) {
        long start = System.nanoTime();
        long cpu = cpuNanos();
        bench.answer(List.of(query));
        System.out.printf(
                "%s: %d ms, processors %d ms%n",
                how, (System.nanoTime() - start) / 1_000_000, (cpuNanos() - cpu) / 1_000_000);
    }

    /// Of the whole process.
    private static long cpuNanos() {
        return ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class).getProcessCpuTime();
    }

    private static void fill(TestStore store, Table table, int rows, boolean decimal) {
        var random = new SplittableRandom(1);
        int[] columns = new int[14];
        for (int index = 0; index < columns.length; index++) {
            columns[index] = index + 2;
        }
        List<KeyedWrite> batch = new ArrayList<>();
        long start = System.nanoTime();
        for (int row = 0; row < rows; row++) {
            Bytes key =
                    KeyCodec.encode(
                            List.of(Primitive.INT64, Primitive.INT32),
                            Value.of((long) row / 4),
                            Value.of((long) row % 4));
            long date = random.nextInt(8036, 10560);
            Value[] values = {
                Value.of((long) random.nextInt(200_000)),
                Value.of((long) random.nextInt(10_000)),
                number(decimal, random.nextInt(1, 51) * 100),
                number(decimal, random.nextInt(90_000, 10_000_000)),
                number(decimal, random.nextInt(11)),
                number(decimal, random.nextInt(9)),
                Value.text(date > 9300 ? "N" : random.nextBoolean() ? "R" : "A"),
                Value.text(date > 9300 ? "O" : "F"),
                Value.of(date),
                Value.of(date + 30),
                Value.of(date + 40),
                Value.text("DELIVER IN PERSON".substring(0, random.nextInt(4, 17))),
                Value.text("TRUCK AIR".substring(0, random.nextInt(3, 9))),
                Value.text("carefully final deposits sleep".substring(random.nextInt(20))),
            };
            batch.add(new KeyedWrite(key, new RowWrite(RowWrite.Kind.REPLACE, columns, values)));
            if (batch.size() == BATCH_ROWS) {
                store.transactions().bulkWrite(table, batch);
                batch = new ArrayList<>();
            }
        }
        store.transactions().bulkWrite(table, batch);
        System.out.printf("filled in %d ms%n", (System.nanoTime() - start) / 1_000_000);
    }

    private static Value number(boolean decimal, long hundredths) {
        return decimal ? new Value.Int128(0, hundredths) : Value.of(hundredths / 100.0);
    }
}
