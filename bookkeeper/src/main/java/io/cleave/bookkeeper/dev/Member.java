package io.cleave.bookkeeper.dev;

import io.cleave.base.CorruptionException;

import java.nio.file.Path;
import java.time.Instant;
import java.util.Locale;
import java.util.Optional;

/// A process of the cluster, running or not. `pid` is 0 before the first start.
///
/// @param number from 1
/// @param port of the server, the same after each start
/// @param httpPort of a node; 0 for other processes
/// @param startedMillis when the process with this id began, to distinguish it from a later one
public record Member(Kind kind, int number, int port, int httpPort, long pid, long startedMillis) {
    /// In start order.
    public enum Kind {
        ZOOKEEPER,
        BOOKIE,
        NODE;

        static Kind of(String text) {
            return valueOf(text.toUpperCase(Locale.ROOT));
        }

        public String text() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    Member(Kind kind, int number, int port, int httpPort) {
        this(kind, number, port, httpPort, 0, 0);
    }

    Member started(ProcessHandle process) {
        return new Member(kind, number, port, httpPort, process.pid(), startMillis(process));
    }

    public String name() {
        return kind.text() + "-" + number;
    }

    /// The process, if it is running.
    public Optional<ProcessHandle> process() {
        return pid == 0
                ? Optional.empty()
                : ProcessHandle.of(pid)
                        .filter(ProcessHandle::isAlive)
                        .filter(process -> startMillis(process) == startedMillis);
    }

    private static long startMillis(ProcessHandle process) {
        return process.info().startInstant().map(Instant::toEpochMilli).orElse(0L);
    }

    Path log(Path folder) {
        return folder.resolve(name() + ".log");
    }

    String line() {
        return "%s %d port %d http %d pid %d since %d"
                .formatted(kind.text(), number, port, httpPort, pid, startedMillis);
    }

    static Member parse(Path file, String line) {
        String[] words = line.split(" ");
        try {
            return new Member(
                    Kind.of(words[0]),
                    Integer.parseInt(words[1]),
                    Integer.parseInt(words[3]),
                    Integer.parseInt(words[5]),
                    Long.parseLong(words[7]),
                    Long.parseLong(words[9]));
        } catch (IllegalArgumentException | ArrayIndexOutOfBoundsException e) {
            var corrupt = new CorruptionException(file.toString(), 0, "not a process: " + line);
            corrupt.initCause(e);
            throw corrupt;
        }
    }
}
