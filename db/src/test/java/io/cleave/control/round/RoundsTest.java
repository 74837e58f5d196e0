package io.cleave.control.round;

import static org.assertj.core.api.Assertions.fail;

import io.cleave.testkit.DataDriven;

import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/// What iterations do, as stories. The lines of a command `do` say what happens:
///
/// ```
/// cluster {schedule="minutes % 5 == 0"}     the document //sys/tablet_balancer/config
/// bundle b {tablet_balancer_schedule="1"}   the bundle's config, which may be left out
/// table b legacy/t {...}                    a table, whose path begins with its group
/// drop b                                    drops all tables of the bundle
/// uneven legacy/t | even legacy/t           whether the table has moves when they are due
/// busy b | idle b                           whether a change of the bundle is unfinished
/// zone Europe/Berlin
/// clock 2026-11-19T12:00:30Z                sets the wall clock
/// restart                                   the process starts again
/// refuse | accept                           whether the system cell takes writes
/// to 2026-11-19T12:08:30Z                   time passes, and the balancer looks once a second
/// ```
///
/// The answer has what was begun, with the time of the wall clock. `errors b` has the bundle's
/// errors, `rows` what is stored.
class RoundsTest {
    @TestFactory
    Stream<DynamicTest> rounds() throws IOException {
        var drawn = new DrawnRounds[] {new DrawnRounds()};
        return DataDriven.run(
                Path.of("src/test/testdata/ytrounds"), command -> answer(drawn, command));
    }

    private static String answer(DrawnRounds[] drawn, DataDriven.Command command) {
        switch (command.name()) {
            case "new" -> drawn[0] = new DrawnRounds();
            case "do" -> {}
            case "rows" -> {
                return text(drawn[0].storedLines());
            }
            case "errors" -> {
                return text(drawn[0].errors(command.input().getFirst()));
            }
            default -> fail("line %d: %s", command.line(), command.name());
        }
        List<String> lines = new ArrayList<>();
        command.input().forEach(line -> lines.addAll(run(drawn[0], line.strip().split(" ", 4))));
        return text(lines);
    }

    private static String text(List<String> lines) {
        return lines.isEmpty() ? "nothing" : String.join("\n", lines);
    }

    private static List<String> run(DrawnRounds drawn, String[] words) {
        String rest =
                words.length > 1 ? String.join(" ", List.of(words).subList(1, words.length)) : "";
        switch (words[0]) {
            case "cluster" -> drawn.configure(rest);
            case "bundle" ->
                    drawn.bundle(
                            words[1],
                            words.length > 2 ? rest.substring(words[1].length() + 1) : "");
            case "table" -> drawn.table(words[1], words[2], words.length > 3 ? words[3] : "");
            case "drop" -> drawn.dropTables(words[1]);
            case "uneven", "even" -> drawn.uneven(words[1], words[0].equals("uneven"));
            case "busy", "idle" -> drawn.busy(words[1], words[0].equals("busy"));
            case "zone" -> drawn.zone(ZoneId.of(words[1]));
            case "clock" -> drawn.jump(Instant.parse(words[1]));
            case "restart" -> drawn.restart();
            case "refuse", "accept" -> drawn.takeWrites(words[0].equals("accept"));
            case "to" -> {
                return passTo(drawn, Instant.parse(words[1]));
            }
            default -> fail(words[0]);
        }
        return List.of();
    }

    private static List<String> passTo(DrawnRounds drawn, Instant end) {
        List<String> lines = new ArrayList<>();
        drawn.look();
        while (drawn.wall().isBefore(end)) {
            drawn.pass(Duration.ofSeconds(1));
            drawn.look();
            drawn.events().forEach(event -> lines.add(drawn.wall() + " " + event));
        }
        return lines;
    }
}
