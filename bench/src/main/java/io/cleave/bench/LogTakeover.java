package io.cleave.bench;

import io.cleave.base.Bytes;
import io.cleave.bookkeeper.BookKeeperSettings;
import io.cleave.log.LogCursor;
import io.cleave.log.LogException;
import io.cleave.log.LogWriter;

import org.jspecify.annotations.Nullable;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Semaphore;

/// Kills a process that leads a log, and takes the log over in this process: it fences the old
/// writer, reads the whole log, and appends.
final class LogTakeover {
    private static final int TURNS = 3;
    private static final long LOG_BYTES = 64L << 20;
    private static final int RECORD_BYTES = 1024;
    private static final int IN_FLIGHT = 256;
    private static final String WRITTEN = "written";

    private final LedgerClients clients;
    private final BookKeeperSettings settings;

    LogTakeover(LedgerClients clients, BookKeeperSettings settings) {
        this.clients = clients;
        this.settings = settings;
    }

    void run(BookKeeperBars bars) throws Exception {
        double[] seconds = new double[TURNS];
        for (int turn = 0; turn < TURNS; turn++) {
            seconds[turn] = takeOver("/bench/takeover-" + turn);
        }
        Arrays.sort(seconds);
        bars.atMost(
                3.0,
                "log taken over after SIGKILL: fence, 64 MB read, first write",
                "s",
                seconds[TURNS / 2]);
    }

    private double takeOver(String path) throws Exception {
        Process leader = startLeader(path);
        try (BufferedReader output = leader.inputReader()) {
            String line = output.readLine();
            if (!WRITTEN.equals(line)) {
                throw new IOException("the leader did not write its log: " + line);
            }
        } finally {
            leader.destroyForcibly().waitFor();
        }
        try (var log = clients.log(path)) {
            long from = System.nanoTime();
            try (LogWriter writer = log.openWriter()) {
                long bytes = 0;
                try (LogCursor cursor = log.read(0)) {
                    while (cursor.next()) {
                        bytes += cursor.record().length();
                    }
                }
                if (bytes < LOG_BYTES) {
                    throw new IllegalStateException(bytes + " bytes in the log");
                }
                var first = new CompletableFuture<@Nullable LogException>();
                writer.append(Bytes.utf8("first"), (_, failure) -> first.complete(failure));
                LogException failure = first.get();
                if (failure != null) {
                    throw failure;
                }
                return (System.nanoTime() - from) / 1e9;
            }
        }
    }

    private Process startLeader(String path) throws IOException {
        return new ProcessBuilder(
                        List.of(
                                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                                "--enable-native-access=ALL-UNNAMED",
                                "--sun-misc-unsafe-memory-access=allow",
                                "-cp",
                                System.getProperty("java.class.path"),
                                LogTakeover.class.getName(),
                                BookKeeperSettings.SCHEME + settings.servers() + settings.root(),
                                path))
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
    }

    /// The leader, with the arguments `STORAGE PATH`. It writes its log, reports that, and
    /// continues until it is killed.
    public static void main(String[] args) throws Exception {
        try (var clients = new LedgerClients(BookKeeperSettings.parse(args[0]));
                var log = clients.log(args[1]);
                LogWriter writer = log.openWriter()) {
            var room = new Semaphore(IN_FLIGHT);
            Bytes record = Bytes.wrap(new byte[RECORD_BYTES]);
            for (long number = 0; ; number++) {
                room.acquire();
                if (number == LOG_BYTES / RECORD_BYTES + IN_FLIGHT) {
                    System.out.println(WRITTEN);
                }
                writer.append(record, (_, _) -> room.release());
            }
        }
    }
}
