package io.cleave.bench.query;

import io.cleave.bench.ServerProcess;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// The systems that the parts query, and the size of the run. Each system is started when a part
/// first needs it.
final class Servers implements AutoCloseable {
    /// Limit of the rows for works by key; more are not needed.
    private static final int MOST_ITEMS = 1_000_000;

    private final Optional<Path> postgresPrograms;
    private final int rows;
    private final Duration time;
    private @Nullable ServerProcess cleave;
    private @Nullable EchoProcess echo;
    private @Nullable PostgresProcess postgres;
    private boolean itemsLoaded;

    Servers(Optional<Path> postgresPrograms, int rows, Duration time) {
        this.postgresPrograms = postgresPrograms;
        this.rows = rows;
        this.time = time;
    }

    int rows() {
        return rows;
    }

    int items() {
        return Math.min(rows, MOST_ITEMS);
    }

    /// How long each rate is measured.
    Duration time() {
        return time;
    }

    Side cleave() throws Exception {
        ServerProcess server = cleaveProcess();
        return new Side(Bars.CLEAVE, "jdbc:ydb:" + server.endpoint(), server::cpuTime);
    }

    long cleavePid() throws Exception {
        return cleaveProcess().pid();
    }

    /// Empty if PostgreSQL is not installed.
    Optional<Side> postgres() throws Exception {
        if (postgres == null && postgresPrograms.isPresent()) {
            postgres = PostgresProcess.start(postgresPrograms.get());
        }
        PostgresProcess server = postgres;
        return server == null
                ? Optional.empty()
                : Optional.of(new Side(Bars.POSTGRES, server.url(), server::cpuTime));
    }

    /// The echo in front of Cleave.
    Side echo() throws Exception {
        if (echo == null) {
            echo = EchoProcess.start(cleaveProcess());
        }
        return new Side(Bars.ECHO, "jdbc:ydb:" + echo.endpoint(), echo::cpuTime);
    }

    /// Cleave, and PostgreSQL if it is installed, both with [Items].
    List<Side> withItems() throws Exception {
        List<Side> sides = new ArrayList<>(List.of(cleave()));
        postgres().ifPresent(sides::add);
        if (!itemsLoaded) {
            for (Side side : sides) {
                if (side.name().equals(Bars.CLEAVE)) {
                    Items.loadCleave(side, items());
                } else {
                    Items.loadPostgres(side, items());
                }
            }
            compact("items");
            itemsLoaded = true;
        }
        return sides;
    }

    /// Rewrites the files of a Cleave table into as few files as possible.
    void compact(String table) throws Exception {
        compact(cleaveProcess(), table);
    }

    static void compact(ServerProcess server, String table) throws Exception {
        URI uri = URI.create(server.console() + "/compact?table=" + table);
        try (HttpClient client = HttpClient.newHttpClient()) {
            var request =
                    HttpRequest.newBuilder(uri)
                            .header("X-Cleave", "1")
                            .POST(BodyPublishers.noBody())
                            .build();
            var answer = client.send(request, BodyHandlers.ofString());
            if (answer.statusCode() != 200) {
                throw new IllegalStateException(answer.body());
            }
        }
    }

    private ServerProcess cleaveProcess() throws Exception {
        if (cleave == null) {
            cleave = ServerProcess.start();
        }
        return cleave;
    }

    @Override
    public void close() throws IOException {
        if (echo != null) {
            echo.close();
        }
        if (postgres != null) {
            postgres.close();
        }
        if (cleave != null) {
            cleave.close();
        }
    }
}
