package io.cleave.bench;

import java.util.Arrays;

/// Renames, replaces and copies tables, and checks that large tables take no longer.
final class LargeRename {
    private static final int RUNS = 20;
    private static final double MOST_MILLIS = 50;
    private static final int ROWS_A_GIGABYTE = 1_000_000;

    private final Figures figures;
    private final int gigabytes;

    LargeRename(Figures figures, int gigabytes) {
        this.figures = figures;
        this.gigabytes = gigabytes;
    }

    void run() throws Exception {
        try (var server = ServerProcess.start();
                var rows = new WideRows(server.endpoint())) {
            rows.load("small", ROWS_A_GIGABYTE / 10);
            rows.load("large", ROWS_A_GIGABYTE * gigabytes);
            // A warm-up, so that the compiler is not measured.
            renames(rows, "small");
            measure(rows, "small", "100 MB");
            measure(rows, "large", gigabytes + " GB");
        }
    }

    private void measure(WideRows rows, String table, String size) {
        double[] renames = renames(rows, table);
        figures.print("rename of " + size + ", median", renames[RUNS / 2], "ms");
        figures.printWithBarAtMost(
                MOST_MILLIS, "rename of " + size + ", longest", renames[RUNS - 1], "ms");
        double[] copies = new double[RUNS];
        double[] replaces = new double[RUNS];
        for (int run = 0; run < RUNS; run++) {
            copies[run] = millis(() -> rows.copy(table, "copy"));
            replaces[run] = millis(() -> rows.replace("copy", table));
        }
        Arrays.sort(copies);
        Arrays.sort(replaces);
        figures.print("copy of " + size + ", median", copies[RUNS / 2], "ms");
        figures.print("copy of " + size + ", longest", copies[RUNS - 1], "ms");
        figures.print("replace of " + size + ", median", replaces[RUNS / 2], "ms");
        figures.printWithBarAtMost(
                MOST_MILLIS, "replace of " + size + ", longest", replaces[RUNS - 1], "ms");
    }

    /// Renames back and forth; returns the sorted durations.
    private static double[] renames(WideRows rows, String table) {
        double[] millis = new double[RUNS];
        String other = "moved/" + table;
        for (int run = 0; run < RUNS; run++) {
            String from = run % 2 == 0 ? table : other;
            String to = run % 2 == 0 ? other : table;
            millis[run] = millis(() -> rows.rename(from, to));
        }
        Arrays.sort(millis);
        return millis;
    }

    private static double millis(Runnable work) {
        long from = System.nanoTime();
        work.run();
        return (System.nanoTime() - from) / 1e6;
    }
}
