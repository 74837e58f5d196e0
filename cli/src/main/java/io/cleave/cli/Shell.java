package io.cleave.cli;

import org.jline.reader.EndOfFileException;
import org.jline.reader.LineReader;
import org.jline.reader.LineReaderBuilder;
import org.jline.reader.UserInterruptException;
import org.jline.terminal.Terminal;
import org.jline.terminal.TerminalBuilder;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Locale;

/// The interactive shell. A statement may have several lines and ends with a semicolon. Ctrl-C
/// discards the input, Ctrl-D exits.
final class Shell {
    private static final Path HISTORY = Path.of(System.getProperty("user.home"), ".cleave_history");
    private static final String HELP =
            """
            A statement ends with ; and may take several lines. Tab completes words and tables.
              tables              the tables of the database
              EXPLAIN SELECT …;   what a query would read
              quit                as Ctrl-D; Ctrl-C only drops what was typed
            """;

    private final Connection connection;
    private final Endpoint endpoint;

    Shell(Connection connection, Endpoint endpoint) {
        this.connection = connection;
        this.endpoint = endpoint;
    }

    void run() throws IOException {
        try (Terminal terminal = TerminalBuilder.builder().system(true).build()) {
            var out = new PrintStream(terminal.output(), true, StandardCharsets.UTF_8);
            out.println("connected to " + endpoint + "; `help` for help");
            LineReader reader =
                    LineReaderBuilder.builder()
                            .terminal(terminal)
                            .appName("cleave")
                            .parser(new ShellParser())
                            .completer(new ShellCompleter(connection::tables))
                            .variable(LineReader.HISTORY_FILE, HISTORY)
                            .variable(LineReader.SECONDARY_PROMPT_PATTERN, "%P     > ")
                            .option(LineReader.Option.DISABLE_EVENT_EXPANSION, true)
                            .option(LineReader.Option.CASE_INSENSITIVE, true)
                            .build();
            while (readOne(reader, out)) {}
        }
    }

    /// Returns false if the user exits.
    private boolean readOne(LineReader reader, PrintStream out) {
        try {
            String text = reader.readLine("cleave> ").strip();
            return switch (command(text)) {
                case "" -> true;
                case "quit", "exit", "\\q" -> false;
                case "help", "\\?", "\\h" -> {
                    out.print(HELP);
                    yield true;
                }
                case "tables", "\\d", "\\dt" -> {
                    connection.tables().forEach(out::println);
                    yield true;
                }
                default -> {
                    runAll(text, out);
                    yield true;
                }
            };
        } catch (UserInterruptException _) {
            return true;
        } catch (EndOfFileException _) {
            return false;
        }
    }

    private void runAll(String text, PrintStream out) {
        for (Script.Query query : Script.queries(text)) {
            if (!connection.run(query, out, out)) {
                return;
            }
        }
    }

    static boolean isCommand(String text) {
        return switch (command(text)) {
            case "", "quit", "exit", "\\q", "help", "\\?", "\\h", "tables", "\\d", "\\dt" -> true;
            default -> false;
        };
    }

    private static String command(String text) {
        String word = text.strip().toLowerCase(Locale.ROOT);
        return word.endsWith(";") ? word.substring(0, word.length() - 1).strip() : word;
    }
}
