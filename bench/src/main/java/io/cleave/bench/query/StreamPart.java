package io.cleave.bench.query;

import io.cleave.bench.TableText;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// A SELECT of ten million rows that is read as a stream. The figure is the live heap of the server
/// meanwhile, minus the live heap before. Both are measured after a full collection, so garbage
/// does not count. The query has run once before, so that the block cache is filled.
final class StreamPart implements Part {
    private static final int ROWS = 10_000_000;
    private static final int LOOKS = 8;
    private static final double BAR_MEGABYTES = 64;
    private static final Pattern USED = Pattern.compile("heap .*used (\\d+)K");

    @Override
    public void run(Servers servers, Bars bars) throws Exception {
        Side side = servers.cleave();
        load(side);
        servers.compact("stream");
        long pid = servers.cleavePid();
        long read = select(side, _ -> {});
        double before = liveMegabytes(pid);
        var most = new double[] {before};
        long from = System.nanoTime();
        read += select(side, _ -> most[0] = Math.max(most[0], liveMegabytes(pid)));
        double seconds = (System.nanoTime() - from) / 1e9;
        if (read != 2L * ROWS) {
            throw new IllegalStateException(read + " rows instead of twice " + ROWS);
        }
        bars.work("heap held by a streamed SELECT of 10,000,000 rows", "MB (time)")
                .atMost(BAR_MEGABYTES)
                .figure(Bars.CLEAVE, most[0] - before, TableText.number(seconds) + " s");
    }

    private static void load(Side side) throws SQLException {
        side.execute("CREATE TABLE stream (id Int64 NOT NULL, text Utf8, PRIMARY KEY (id))");
        try (var connection = side.connect();
                var statement =
                        connection.prepareStatement(
                                "BULK UPSERT INTO stream (id, text) VALUES (?, ?)")) {
            for (int id = 0; id < ROWS; id++) {
                statement.setLong(1, id);
                statement.setString(2, "row " + id);
                statement.addBatch();
                if ((id + 1) % Items.ROWS_A_BATCH == 0) {
                    statement.executeBatch();
                }
            }
        }
    }

    /// Called a few times while the rows are read.
    private interface Look {
        void at(long row) throws Exception;
    }

    private static long select(Side side, Look look) throws Exception {
        var streamed =
                new Side(side.name(), side.url() + "?useStreamResultSets=true", side.cpuTime());
        long rows = 0;
        try (var connection = streamed.connect();
                var statement = connection.createStatement();
                var found = statement.executeQuery("SELECT id, text FROM stream")) {
            while (found.next()) {
                rows++;
                if (rows % (ROWS / LOOKS) == ROWS / LOOKS / 2) {
                    look.at(rows);
                }
            }
        }
        return rows;
    }

    private static double liveMegabytes(long pid) throws IOException, InterruptedException {
        jcmd(pid, "GC.run");
        Matcher used = USED.matcher(jcmd(pid, "GC.heap_info"));
        if (!used.find()) {
            throw new IllegalStateException("jcmd does not say how much of the heap is used");
        }
        return Long.parseLong(used.group(1)) / 1024.0;
    }

    private static String jcmd(long pid, String command) throws IOException, InterruptedException {
        String program = Path.of(System.getProperty("java.home"), "bin", "jcmd").toString();
        Process process =
                new ProcessBuilder(program, Long.toString(pid), command)
                        .redirectErrorStream(true)
                        .start();
        String text = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        if (process.waitFor() != 0) {
            throw new IllegalStateException("jcmd: " + text);
        }
        return text;
    }
}
