package io.cleave.bench;

import tech.ydb.core.Status;
import tech.ydb.query.QuerySession;

import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.ToDoubleFunction;
import java.util.random.RandomGenerator;

/// What it costs that a grown table is spread over cells: a transaction of two rows in one cell
/// takes one record of a log, and a transaction over two cells takes two phases. Two servers grow
/// the same table by size. One of them leaves all tablets in one cell, the other one spreads them.
/// Both are measured in turns.
final class SpreadTransactions {
    private static final int CELLS = 4;
    private static final int CLIENTS = 8;
    private static final int ROWS = 50_000;
    private static final int ROWS_A_BATCH = 64;
    private static final int BODY_BYTES = 4_000;
    private static final int TABLET_MEGABYTES = 10;

    /// A quarter of the table is more than this, so that all cells get a share of it.
    private static final int CELL_MEGABYTES = 20;

    private static final int TURNS = 5;
    private static final Duration TURN = Duration.ofSeconds(6);
    private static final Duration REST = Duration.ofSeconds(15);
    private static final Duration LONGEST = Duration.ofMinutes(5);

    private final Figures figures;

    SpreadTransactions(Figures figures) {
        this.figures = figures;
    }

    void run() throws Exception {
        try (var one = start(1_000_000);
                var spread = start(CELL_MEGABYTES);
                var ofOne = new BodyTable(one.endpoint());
                var ofSpread = new BodyTable(spread.endpoint())) {
            grow(one, ofOne, "one cell");
            grow(spread, ofSpread, "spread");
            var onOne = new Load(one, CLIENTS);
            var onSpread = new Load(spread, CLIENTS);
            var _ = onOne.run(_ -> new Writer(ofOne), TURN);
            var _ = onSpread.run(_ -> new Writer(ofSpread), TURN);
            Load.Measured[] before = new Load.Measured[TURNS];
            Load.Measured[] after = new Load.Measured[TURNS];
            for (int turn = 0; turn < TURNS; turn++) {
                before[turn] = onOne.run(_ -> new Writer(ofOne), TURN);
                after[turn] = onSpread.run(_ -> new Writer(ofSpread), TURN);
            }
            print("one cell", before);
            print("spread", after);
            figures.print(
                    "two rows, spread beside one cell: CPU",
                    median(after, Load.Measured::serverCpuMicros)
                            / median(before, Load.Measured::serverCpuMicros),
                    "x");
        }
    }

    private static ServerProcess start(int cellMegabytes) throws Exception {
        return ServerProcess.start(
                "--cells",
                "" + CELLS,
                "--load-window",
                "2",
                "--cell-cpu",
                "99999",
                "--cell-mb",
                "" + cellMegabytes);
    }

    /// Loads the rows, and waits until the tablets have not changed for a while.
    private void grow(ServerProcess server, BodyTable table, String name) throws Exception {
        table.create("AUTO_PARTITIONING_PARTITION_SIZE_MB = " + TABLET_MEGABYTES);
        try (QuerySession session = table.open()) {
            for (int from = 0; from < ROWS; from += ROWS_A_BATCH) {
                long[] ids = new long[Math.min(ROWS_A_BATCH, ROWS - from)];
                for (int index = 0; index < ids.length; index++) {
                    ids[index] = key(from + index);
                }
                Status status =
                        BodyTable.write(session, ThreadLocalRandom.current(), BODY_BYTES, ids);
                while (!status.isSuccess()) {
                    status = BodyTable.write(session, ThreadLocalRandom.current(), BODY_BYTES, ids);
                }
            }
        }
        var tablets = new Tablets(server.console(), BodyTable.NAME);
        List<Tablets.Tablet> settled = settle(tablets);
        figures.print(name + ": tablets", settled.size(), "");
        figures.print(
                name + ": cells",
                (double) settled.stream().mapToLong(Tablets.Tablet::cell).distinct().count(),
                "");
    }

    private static List<Tablets.Tablet> settle(Tablets tablets) throws Exception {
        long until = System.nanoTime() + LONGEST.toNanos();
        long changed = System.nanoTime();
        List<Tablets.Tablet> before = tablets.list();
        while (System.nanoTime() < until && System.nanoTime() - changed < REST.toNanos()) {
            Thread.sleep(Duration.ofSeconds(1));
            List<Tablets.Tablet> now = tablets.list();
            if (!now.equals(before)) {
                changed = System.nanoTime();
                before = now;
            }
        }
        return before;
    }

    /// Spreads numbers over all keys.
    private static long key(long number) {
        return number * 0x9E37_79B9_7F4A_7C15L;
    }

    /// Writes two random rows in one transaction.
    private record Writer(BodyTable table, QuerySession session) implements Load.Client {
        Writer(BodyTable table) {
            this(table, table.open());
        }

        @Override
        public void ask(RandomGenerator random) {
            int first = random.nextInt(ROWS);
            int second = (first + 1 + random.nextInt(ROWS - 1)) % ROWS;
            Status status = BodyTable.write(session, random, 100, key(first), key(second));
            // Two clients may write one row.
            if (!status.isSuccess() && !status.toString().contains("ABORTED")) {
                status.expectSuccess();
            }
        }

        @Override
        public void close() {
            session.close();
        }
    }

    private void print(String name, Load.Measured[] measured) {
        figures.print(
                name + ": two rows, CPU", median(measured, Load.Measured::serverCpuMicros), "us");
        figures.print(name + ": two rows, p50", median(measured, Load.Measured::p50Micros), "us");
        figures.print(
                name + ": two rows", median(measured, Load.Measured::perSecond), "per second");
    }

    private static double median(Load.Measured[] measured, ToDoubleFunction<Load.Measured> figure) {
        double[] sorted = Arrays.stream(measured).mapToDouble(figure).sorted().toArray();
        return sorted[sorted.length / 2];
    }
}
