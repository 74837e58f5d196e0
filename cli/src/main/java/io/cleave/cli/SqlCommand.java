package io.cleave.cli;

import io.cleave.cli.Connection.UnreachableException;
import io.cleave.cli.Main.UsageException;

import org.jspecify.annotations.Nullable;

import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import java.util.logging.Level;
import java.util.logging.Logger;

/// Runs YQL from an option, a file, standard input or the shell.
@Command(
        name = "sql",
        description = "Run YQL on a server. Without -e and FILE, start a shell.",
        sortOptions = false)
final class SqlCommand implements Callable<Integer> {
    /// In a static field, because the JVM forgets the level of a logger without references.
    private static final Logger GRPC_LOGGER = Logger.getLogger("io.grpc");

    @Option(names = "-e", paramLabel = "TEXT", description = "The statements to run.")
    private @Nullable String text;

    @Parameters(
            arity = "0..1",
            paramLabel = "FILE",
            description = "A file of statements; - reads standard input.")
    private @Nullable Path file;

    @Option(
            names = "--endpoint",
            paramLabel = "URL",
            defaultValue = Endpoint.DEFAULT,
            description = "The server and its database. Default: ${DEFAULT-VALUE}.")
    private String endpoint = Endpoint.DEFAULT;

    @Override
    public Integer call() throws IOException {
        // Failures are reported by the errors of the calls.
        GRPC_LOGGER.setLevel(Level.OFF);
        Endpoint server = parseEndpoint();
        String given = givenText();
        try (Connection connection = Connection.open(server)) {
            if (given == null) {
                new Shell(connection, server).run();
                return ExitCode.OK;
            }
            return runAll(connection, given) ? ExitCode.OK : ExitCode.SOFTWARE;
        } catch (UnreachableException e) {
            System.err.println("cleave: " + e.getMessage());
            return ExitCode.SOFTWARE;
        }
    }

    /// Stops at the first failed query, because later queries may depend on it.
    static boolean runAll(Connection connection, String text) {
        for (Script.Query query : Script.queries(text)) {
            if (!connection.run(query, System.out, System.err)) {
                return false;
            }
        }
        return true;
    }

    private Endpoint parseEndpoint() {
        try {
            return Endpoint.parse(endpoint);
        } catch (IllegalArgumentException e) {
            throw new UsageException(String.valueOf(e.getMessage()));
        }
    }

    /// Null if no text was given and the input is a terminal.
    private @Nullable String givenText() throws IOException {
        if (text != null && file != null) {
            throw new UsageException("give either -e TEXT or a FILE");
        }
        if (text != null) {
            return text;
        }
        if (file == null) {
            return isTyping() ? null : readAll(System.in);
        }
        if (file.toString().equals("-")) {
            return readAll(System.in);
        }
        try {
            return Files.readString(file);
        } catch (NoSuchFileException _) {
            throw new UsageException("no file " + file);
        }
    }

    @SuppressWarnings("SystemConsoleNull") // null was gone in 22 and came back in 25
    private static boolean isTyping() {
        return System.console() != null && System.console().isTerminal();
    }

    private static String readAll(InputStream input) throws IOException {
        return new String(input.readAllBytes(), StandardCharsets.UTF_8);
    }
}
