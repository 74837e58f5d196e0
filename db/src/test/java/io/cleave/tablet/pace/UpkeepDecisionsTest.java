package io.cleave.tablet.pace;

import io.cleave.tablet.pace.BackPressure.Answer;
import io.cleave.tablet.pace.BackPressure.Limit;
import io.cleave.tablet.pace.BackPressure.Limits;
import io.cleave.tablet.pace.BackPressure.Waiting;
import io.cleave.tablet.pace.FlushPicker.Candidate;
import io.cleave.testkit.DataDriven;

import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

class UpkeepDecisionsTest {
    private static final Limits LIMITS =
            new Limits(new Limit(12, 24), new Limit(600, 900), new Limit(768, 1024));

    @TestFactory
    Stream<DynamicTest> decisions() throws IOException {
        return DataDriven.run(
                Path.of("src/test/testdata/upkeep"),
                command ->
                        switch (command.name()) {
                            case "flush" -> flush(command);
                            case "admit" -> admit(command);
                            case "pace" -> pace(command);
                            default -> throw new IllegalArgumentException(command.name());
                        });
    }

    private static String flush(DataDriven.Command command) {
        List<Candidate> candidates = new ArrayList<>();
        for (String line : command.input()) {
            List<String> part = List.of(line.split("\\s+"));
            candidates.add(
                    new Candidate(
                            Long.parseLong(part.get(0)),
                            Long.parseLong(part.get(1)),
                            Long.parseLong(part.get(2)),
                            part.contains("frozen"),
                            Long.parseLong(part.get(3)),
                            1000,
                            part.size() > 5 ? Long.parseLong(part.get(5)) : 0,
                            180_000));
        }
        return FlushPicker.pick(candidates, command.number("budget"))
                .map(
                        choice ->
                                "tablet %d of cell %d: %s"
                                        .formatted(
                                                choice.candidate().tabletId(),
                                                choice.candidate().cellId(),
                                                choice.reason()))
                .orElse("nothing");
    }

    private static String admit(DataDriven.Command command) {
        var waiting =
                new Waiting(
                        command.number("runs"), command.number("unflushed"), command.number("log"));
        return switch (BackPressure.decide(waiting, LIMITS, command.number("bytes"))) {
            case Answer.Go _ -> "go";
            case Answer.Delay(long nanos) -> "delay %d us".formatted(nanos / 1000);
            case Answer.Stop(String why) -> "stop: " + why;
        };
    }

    private static String pace(DataDriven.Command command) {
        long rate =
                Pace.bytesPerSecond((int) command.number("runs"), 12, command.number("flushed"));
        return rate == Pace.UNLIMITED ? "unlimited" : (rate >> 20) + " MiB/s";
    }
}
