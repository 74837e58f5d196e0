package io.cleave.bench;

import java.time.Duration;

/// Splits a tablet of one gigabyte, and measures how long it takes and how much it writes.
final class LargeSplit {
    private static final long MIB = 1 << 20;

    /// Background work is finished if nothing was written for this long.
    private static final Duration QUIET = Duration.ofSeconds(3);

    private final Figures figures;

    LargeSplit(Figures figures) {
        this.figures = figures;
    }

    void run() throws Exception {
        try (var server = ServerProcess.start();
                var rows = new WideRows(server.endpoint())) {
            rows.load();
            awaitQuiet(server);
            var tablets = new Tablets(server.console(), WideRows.TABLE);
            // A warm-up split of another table, so that the compiler is not measured.
            rows.createSmall();
            var small = new Tablets(server.console(), WideRows.SMALL);
            expectTablets(small, 1);
            cut(small, "500");
            expectTablets(small, 2);
            expectTablets(tablets, 1);
            long bytes = server.bytesWritten();
            long from = System.nanoTime();
            cut(tablets, String.valueOf(WideRows.ROW_COUNT / 2));
            rows.expectRow(0);
            rows.expectRow(WideRows.ROW_COUNT - 1);
            double millis = (System.nanoTime() - from) / 1e6;
            double mib = (double) (server.bytesWritten() - bytes) / MIB;
            expectTablets(tablets, 2);
            awaitQuiet(server);
            double later = (double) (server.bytesWritten() - bytes) / MIB;
            figures.print("written since, in the background", later - mib, "MB");
            figures.printWithBarAtMost(100, "split of 1 GB until both serve", millis, "ms");
            figures.printWithBarAtMost(1, "split of 1 GB, written", mib, "MB");
        }
    }

    private static void cut(Tablets tablets, String key) throws Exception {
        if (!tablets.split(key)) {
            throw new IllegalStateException("a tablet begins at " + key + " already");
        }
    }

    private static void expectTablets(Tablets tablets, int count) throws Exception {
        if (tablets.list().size() != count) {
            throw new IllegalStateException(tablets.list() + ", not " + count + " tablets");
        }
    }

    private static void awaitQuiet(ServerProcess server) throws Exception {
        long before = -1;
        while (server.bytesWritten() != before) {
            before = server.bytesWritten();
            Thread.sleep(QUIET);
        }
    }
}
