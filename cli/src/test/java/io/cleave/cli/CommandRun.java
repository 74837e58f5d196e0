package io.cleave.cli;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;

/// What came of a command that was run in this process.
record CommandRun(int exitCode, String output, String errors) {
    static CommandRun of(String... args) {
        PrintStream out = System.out;
        PrintStream err = System.err;
        var output = new ByteArrayOutputStream();
        var errors = new ByteArrayOutputStream();
        System.setOut(new PrintStream(output, true, StandardCharsets.UTF_8));
        System.setErr(new PrintStream(errors, true, StandardCharsets.UTF_8));
        try {
            return new CommandRun(Main.run(args), text(output), text(errors));
        } finally {
            System.setOut(out);
            System.setErr(err);
        }
    }

    private static String text(ByteArrayOutputStream bytes) {
        return bytes.toString(StandardCharsets.UTF_8).replace(System.lineSeparator(), "\n");
    }
}
