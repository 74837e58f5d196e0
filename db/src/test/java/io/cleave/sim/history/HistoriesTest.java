package io.cleave.sim.history;

import io.cleave.sim.history.ListTransaction.Operation;
import io.cleave.sim.history.RegisterOperation.Action;
import io.cleave.testkit.DataDriven;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/// Histories written by hand, and what the checkers say to them.
///
/// A line is a name, when it began and ended (`3-7`; `3-?` if nobody knows, `3-x` if it was
/// aborted), and what was done: `a x 1` appends 1 to list x, `r x 1 2` reads it; `w 1` writes a
/// register, `r 1` reads it, `s 1 2` swaps 1 for 2; `nil` is nothing.
class HistoriesTest {
    @TestFactory
    Stream<DynamicTest> histories() throws IOException {
        return DataDriven.run(Path.of("src/test/testdata/histories"), HistoriesTest::run);
    }

    private static String run(DataDriven.Command command) {
        return switch (command.name()) {
            case "lists" -> lists(command.input());
            case "register" -> register(command.input());
            default -> throw new IllegalArgumentException(command.name());
        };
    }

    private static String lists(List<String> lines) {
        List<ListTransaction> history = new ArrayList<>();
        for (String line : lines) {
            Head head = Head.of(line);
            List<Operation> operations =
                    Arrays.stream(head.rest.split(", ")).map(HistoriesTest::listOperation).toList();
            history.add(
                    new ListTransaction(
                            head.name, head.began, head.ended, head.outcome, operations));
        }
        List<Anomaly> anomalies = Serializability.check(history);
        return anomalies.isEmpty()
                ? "serializable"
                : anomalies.stream().map(Anomaly::toString).collect(Collectors.joining("\n"));
    }

    private static Operation listOperation(String text) {
        String[] words = text.strip().split(" ");
        List<Long> numbers = Arrays.stream(words).skip(2).map(Long::valueOf).toList();
        return words[0].equals("a")
                ? new Operation.Append(words[1], numbers.getFirst())
                : new Operation.Read(words[1], numbers);
    }

    private static String register(List<String> lines) {
        List<RegisterOperation> history = new ArrayList<>();
        for (String line : lines) {
            Head head = Head.of(line);
            String[] words = head.rest.split(" ");
            Action action =
                    switch (words[0]) {
                        case "r" -> new Action.Read(value(words[1]));
                        case "w" -> new Action.Write(value(words[1]));
                        case "s" -> new Action.Swap(value(words[1]), value(words[2]));
                        default -> throw new IllegalArgumentException(line);
                    };
            history.add(
                    new RegisterOperation(head.name, head.began, head.ended, head.outcome, action));
        }
        return Linearizability.check(null, history).orElse("linearizable");
    }

    private static @Nullable String value(String word) {
        return word.equals("nil") ? null : word;
    }

    private record Head(String name, long began, long ended, Outcome outcome, String rest) {
        static Head of(String line) {
            String[] words = line.split("\\s+", 3);
            int dash = words[1].indexOf('-');
            String end = words[1].substring(dash + 1);
            Outcome outcome =
                    switch (end) {
                        case "?" -> Outcome.UNKNOWN;
                        case "x" -> Outcome.ABORTED;
                        default -> Outcome.COMMITTED;
                    };
            long began = Long.parseLong(words[1].substring(0, dash));
            long ended = outcome == Outcome.COMMITTED ? Long.parseLong(end) : Long.MAX_VALUE;
            return new Head(words[0], began, ended, outcome, words[2]);
        }
    }
}
