package io.cleave.yt.table;

import io.cleave.base.StatusException;
import io.cleave.testkit.DataDriven;

import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;
import java.util.stream.Stream;

/// Tables as clients create, mount, change and describe them.
class TableCommandsTest {
    private TestYtTables world = new TestYtTables(1);

    @TestFactory
    Stream<DynamicTest> commands() throws IOException {
        return DataDriven.run(Path.of("src/test/testdata/yt/table"), this::run);
    }

    private String run(DataDriven.Command command) {
        if (world.knows(command.name())) {
            Optional<String> input =
                    command.input().size() > 1
                            ? Optional.of(command.input().get(1))
                            : Optional.empty();
            // Timestamps change from run to run.
            return world.run(command.name(), command.input().getFirst(), input)
                    .replaceAll("[12][0-9]{18}u", "<timestamp>");
        }
        try {
            return switch (command.name()) {
                case "new" -> {
                    world.close();
                    world = new TestYtTables((int) command.number("cells"));
                    yield "ok";
                }
                case "restart" -> {
                    world.restart();
                    yield "ok";
                }
                case "write" -> {
                    for (long key = command.number("from"); key < command.number("to"); key++) {
                        world.write(command.args().get("path"), key, key);
                    }
                    yield "ok";
                }
                case "await-actions" -> {
                    world.awaitActions();
                    yield "ok";
                }
                case "count" -> "" + world.count(command.args().get("path"));
                default -> throw new IllegalArgumentException(command.name());
            };
        } catch (StatusException e) {
            return e.status() + ": " + e.getMessage();
        }
    }
}
