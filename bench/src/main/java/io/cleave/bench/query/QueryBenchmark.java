package io.cleave.bench.query;

import org.jspecify.annotations.Nullable;

import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

import java.io.IOException;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.function.Supplier;

/// Cleave compared with PostgreSQL, a bare gRPC echo and H2, as clients see them, on the same rows
/// and with the same durability. A run of all parts writes its table to `docs/benchmarks/query.md`.
@Command(
        name = "query",
        description = "Queries through JDBC beside PostgreSQL, H2 and a bare gRPC echo.",
        mixinStandardHelpOptions = true)
public final class QueryBenchmark implements Callable<Integer> {
    private static final int DEFAULT_ROWS = 5_000_000;
    private static final int DEFAULT_SECONDS = 5;

    /// Each client of a part writes its own batches of 1,000 rows, so there must be enough rows.
    private static final int LEAST_ROWS = 100_000;

    private static final Map<String, Supplier<Part>> PARTS = new LinkedHashMap<>();

    static {
        PARTS.put("point", PointPart::new);
        PARTS.put("range", RangePart::new);
        PARTS.put("upsert", UpsertPart::new);
        PARTS.put("batch", BatchPart::new);
        PARTS.put("bulk", BulkPart::new);
        PARTS.put("groupby", GroupByPart::new);
        PARTS.put("stocklevel", StockLevelPart::new);
        PARTS.put("embedded", EmbeddedPart::new);
        PARTS.put("compile", CompilePart::new);
        PARTS.put("stream", StreamPart::new);
        PARTS.put("async", AsyncPart::new);
    }

    @Spec private @Nullable CommandSpec spec;

    @Option(
            names = "--only",
            paramLabel = "PART",
            split = ",",
            description =
                    "point, range, upsert, batch, bulk, groupby, stocklevel, embedded, compile,"
                            + " stream or async; several with commas. Default: all.")
    private List<String> only = List.of();

    @Option(
            names = "--seconds",
            paramLabel = "N",
            defaultValue = "" + DEFAULT_SECONDS,
            description = "How long each rate is measured. Default: ${DEFAULT-VALUE}.")
    private int seconds;

    @Option(
            names = "--rows",
            paramLabel = "N",
            defaultValue = "" + DEFAULT_ROWS,
            description =
                    "How many rows the group-by reads; other works have at most a million of them."
                            + " Default: ${DEFAULT-VALUE}.")
    private int rows;

    @Option(
            names = "--postgres",
            paramLabel = "DIR",
            description =
                    "Where initdb and postgres are. Default: on the path or below"
                            + " /usr/lib/postgresql.")
    private @Nullable Path postgres;

    @Override
    public Integer call() throws Exception {
        checkArguments();
        Optional<Path> programs = programs();
        if (programs.isEmpty()) {
            System.out.println("no PostgreSQL here (--postgres DIR): its bars are missed");
        }
        var bars = new Bars(System.out);
        String version;
        try (var servers = new Servers(programs, rows, Duration.ofSeconds(seconds))) {
            for (var part : PARTS.entrySet()) {
                if (only.isEmpty() || only.contains(part.getKey())) {
                    part.getValue().get().run(servers, bars);
                }
            }
            version = version(servers.postgres());
        }
        return report(bars, version);
    }

    private void checkArguments() {
        for (String name : only) {
            if (!PARTS.containsKey(name)) {
                throw wrong("there is no part " + name + ": " + PARTS.keySet());
            }
        }
        if (rows < LEAST_ROWS) {
            throw wrong("--rows must be at least " + LEAST_ROWS);
        }
        if (seconds < 1) {
            throw wrong("--seconds must be at least 1");
        }
    }

    private Optional<Path> programs() throws IOException {
        if (postgres == null) {
            return PostgresProcess.findPrograms();
        }
        if (!PostgresProcess.hasPrograms(postgres)) {
            throw wrong("there is no initdb and postgres in " + postgres);
        }
        return Optional.of(postgres);
    }

    private static String version(Optional<Side> postgres) throws SQLException {
        if (postgres.isEmpty()) {
            return "not installed";
        }
        try (var connection = postgres.get().connect()) {
            return connection.getMetaData().getDatabaseProductVersion();
        }
    }

    private int report(Bars bars, String postgresVersion) throws IOException {
        System.out.println();
        System.out.print(bars.text());
        boolean whole = only.isEmpty() && rows == DEFAULT_ROWS && seconds >= DEFAULT_SECONDS;
        String launcher = System.getProperty("cleave.launcher");
        if (whole && launcher != null) {
            Path file = new QueryPage(bars, rows, seconds, postgresVersion).write(launcher);
            System.out.println("written to " + file);
        }
        System.out.println(bars.sum());
        return bars.allMet() ? ExitCode.OK : ExitCode.SOFTWARE;
    }

    private ParameterException wrong(String what) {
        CommandSpec known = spec;
        if (known == null) {
            throw new IllegalStateException(what);
        }
        return new ParameterException(known.commandLine(), what);
    }
}
