package io.cleave.cli;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// A page of the documentation and its examples: blocks between fences, and shells as they look
/// when someone types.
///
/// ````
/// ```sql                      run as a whole; so are `sh`, of ./cleave's commands, and `java`
/// SELECT 1 AS one;
/// ```
/// ```text                     what it answers; where there is no such block, anything but an error
///  one
/// ```
/// ```
/// cleave> SELECT 1            typed, line by line
///       > AS one;
///  one                        what is answered, up to the next prompt or the end of the block
/// ```
/// ````
final class DocsPage {
    private static final String FENCE = "```";
    private static final String PROMPT = "cleave> ";
    private static final String MORE = "      > ";
    private static final String SHELL = "$ ./cleave";
    private static final String SQL = SHELL + " sql -e ";

    private final Path file;
    private final List<String> lines;
    private final List<Example> examples = new ArrayList<>();

    enum Kind {
        SQL,
        COMMAND,
        JAVA
    }

    /// Something to be run.
    ///
    /// @param line where it stands, counted from 1
    /// @param answer where what it answers stands; nothing if the page does not say it
    record Example(Kind kind, String text, int line, Optional<Answer> answer) {}

    /// Some lines of the page.
    record Answer(int from, int to, boolean withOk) {}

    DocsPage(Path file) throws IOException {
        this.file = file;
        lines = new ArrayList<>(Files.readAllLines(file));
        int at = 0;
        while (at < lines.size()) {
            at = lines.get(at).startsWith(FENCE) ? readBlock(at) : at + 1;
        }
    }

    Path file() {
        return file;
    }

    List<Example> examples() {
        return examples;
    }

    String text(Answer answer) {
        return String.join("\n", lines.subList(answer.from, answer.to));
    }

    /// Those that come last first: the others stay where they are.
    void rewrite(Answer answer, String text) throws IOException {
        List<String> old = lines.subList(answer.from, answer.to);
        old.clear();
        old.addAll(text.lines().toList());
        Files.writeString(file, String.join("\n", lines) + "\n");
    }

    /// Returns the line behind its end.
    private int readBlock(int fence) {
        int from = fence + 1;
        int to = end(from);
        switch (lines.get(fence).substring(FENCE.length())) {
            case "sql" -> add(Kind.SQL, from, to);
            case "java" -> add(Kind.JAVA, from, to);
            case "sh" -> add(Kind.COMMAND, from, to);
            case "" -> {
                if (lines.get(from).startsWith(SQL) || hasPrompt(from, to)) {
                    readTyped(from, to);
                }
            }
            default -> {}
        }
        return to + 1;
    }

    private int end(int from) {
        int to = from;
        while (!lines.get(to).equals(FENCE)) {
            to++;
        }
        return to;
    }

    private void add(Kind kind, int from, int to) {
        int next = to + 1;
        while (next < lines.size() && lines.get(next).isBlank()) {
            next++;
        }
        boolean answered = next < lines.size() && lines.get(next).equals(FENCE + "text");
        Optional<Answer> answer =
                answered
                        ? Optional.of(new Answer(next + 1, end(next + 1), false))
                        : Optional.empty();
        String text = String.join("\n", lines.subList(from, to));
        examples.add(new Example(kind, text, from + 1, answer));
    }

    private boolean hasPrompt(int from, int to) {
        return lines.subList(from, to).stream().anyMatch(line -> line.startsWith(PROMPT));
    }

    private void readTyped(int from, int to) {
        int at = from;
        while (at < to) {
            int begun = at;
            String line = lines.get(at++);
            var text = new StringBuilder();
            Kind kind = Kind.SQL;
            if (line.startsWith(PROMPT)) {
                text.append(line, PROMPT.length(), line.length());
                while (at < to && lines.get(at).startsWith(MORE)) {
                    text.append('\n').append(lines.get(at++), MORE.length(), line(at - 1));
                }
            } else if (line.startsWith(SQL)) {
                text.append(line, SQL.length() + 1, line.length());
                while (!text.toString().endsWith("'")) {
                    text.append('\n').append(lines.get(at++));
                }
                text.setLength(text.length() - 1);
            } else {
                kind = Kind.COMMAND;
                text.append(line, "$ ".length(), line.length());
            }
            int answerFrom = at;
            while (at < to && !isPrompt(lines.get(at))) {
                at++;
            }
            boolean shell =
                    text.toString().equals("./cleave sql") || text.toString().equals("quit");
            if (!shell) {
                boolean quiet = at == answerFrom;
                Optional<Answer> answer =
                        quiet ? Optional.empty() : Optional.of(new Answer(answerFrom, at, true));
                examples.add(new Example(kind, text.toString(), begun + 1, answer));
            }
        }
    }

    private int line(int at) {
        return lines.get(at).length();
    }

    private static boolean isPrompt(String line) {
        return line.startsWith(PROMPT) || line.startsWith(SHELL);
    }
}
