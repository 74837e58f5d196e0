package io.cleave.ytql;

import io.cleave.exec.FakeDatabase;
import io.cleave.exec.QueryBench;
import io.cleave.plan.PlanText;
import io.cleave.testkit.DataDriven;
import io.cleave.testkit.DataDriven.Command;

import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

import java.io.IOException;
import java.nio.file.Path;
import java.util.stream.Stream;

/// What queries in YTsaurus' language answer, from the files in testdata/ytql/queries. The same
/// files run on the real store in `StoreQueriesTest`.
class YtQueriesTest {
    private QueryBench<FakeDatabase> bench = QueryBench.fake();

    @TestFactory
    Stream<DynamicTest> queriesAnswer() throws IOException {
        return DataDriven.run(Path.of("src/test/testdata/ytql/queries"), this::run);
    }

    private String run(Command command) {
        return switch (command.name()) {
            case "database" -> {
                bench = QueryBench.fake();
                yield "empty";
            }
            case "query" -> bench.answer(command.input());
            case "yt" -> bench.answerYt(command.input());
            case "plan" ->
                    new PlanText(bench.database).tree(bench.compileYt(command.input()));
            default -> throw new IllegalArgumentException(command.name());
        };
    }
}
