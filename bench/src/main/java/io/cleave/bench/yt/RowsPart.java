package io.cleave.bench.yt;

import io.cleave.bench.Figures;
import io.cleave.bench.ServerProcess;
import io.cleave.bench.yt.YtBenchmark.Contender;

import java.util.Random;

/// Requests of a thousand rows: how many rows a second of server CPU reads or writes.
final class RowsPart {
    private static final int CLIENTS = 4;

    /// Distinct requests of each client.
    private static final int REQUESTS = 50;

    private final YtBenchmark benchmark;
    private final ServerProcess server;
    private final YtTables tables;

    RowsPart(YtBenchmark benchmark, ServerProcess server, YtTables tables) {
        this.benchmark = benchmark;
        this.server = server;
        this.tables = tables;
    }

    void run(Figures figures) throws Exception {
        tables.makePlainOnce();
        double lookup = rowsPerSecond("lookup_rows", this::keys, 20 * YtTables.ROWS_A_REQUEST);
        figures.printWithBarAtLeast(
                300_000, "lookup of 1,000 keys", lookup, "rows a second of server CPU");
        double insert = rowsPerSecond("insert_rows", this::rows, 0);
        figures.printWithBarAtLeast(
                200_000, "insert of 1,000 rows", insert, "rows a second of server CPU");
    }

    private interface Bodies {
        byte[] next(Random random);
    }

    private double rowsPerSecond(String command, Bodies bodies, int leastAnswerBytes)
            throws Exception {
        double micros =
                benchmark
                        .compare(
                                CLIENTS,
                                new Contender(
                                        server::cpuTime,
                                        client ->
                                                new Asking(
                                                        tables.address(),
                                                        link ->
                                                                requests(
                                                                        link, command, bodies,
                                                                        client),
                                                        leastAnswerBytes)))
                        .getFirst();
        return YtTables.ROWS_A_REQUEST / micros * 1e6;
    }

    private static byte[][] requests(HttpLink link, String command, Bodies bodies, int client) {
        var random = new Random(client);
        byte[][] requests = new byte[REQUESTS][];
        for (int index = 0; index < REQUESTS; index++) {
            requests[index] =
                    link.request(
                            "PUT",
                            "/api/v4/" + command,
                            YtTables.inputParameters(YtTables.PLAIN),
                            bodies.next(random));
        }
        return requests;
    }

    private byte[] keys(Random random) {
        return YtTables.keys(
                random.ints(YtTables.ROWS_A_REQUEST, 0, YtTables.KEYS).sorted().toArray());
    }

    private byte[] rows(Random random) {
        return YtTables.rows(
                random.nextInt(YtTables.KEYS - YtTables.ROWS_A_REQUEST), YtTables.ROWS_A_REQUEST);
    }
}
