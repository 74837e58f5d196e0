package io.cleave.query;

import io.cleave.exec.QueryBench;
import io.cleave.testkit.DataDriven;
import io.cleave.testkit.DataDriven.Command;

import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

import java.io.IOException;
import java.nio.file.Path;
import java.util.stream.Stream;

/// The texts of testdata/queries on the real store: as they are, on tables that are cut into
/// tablets at every second small key, and with a restart before every statement. The rows must not
/// differ.
class StoreQueriesTest {
    private static final Path QUERIES = Path.of("src/test/testdata/queries");

    @TestFactory
    Stream<DynamicTest> onOneTablet() throws IOException {
        return DataDriven.check(QUERIES, new Runner(false, false)::run);
    }

    @TestFactory
    Stream<DynamicTest> onManyTablets() throws IOException {
        return DataDriven.check(QUERIES, new Runner(true, false)::run);
    }

    @TestFactory
    Stream<DynamicTest> withARestartBeforeEveryStatement() throws IOException {
        return DataDriven.check(QUERIES, new Runner(false, true)::run);
    }

    private static final class Runner {
        private final boolean cut;
        private final boolean restart;
        private QueryBench<RealStore> bench;

        Runner(boolean cut, boolean restart) {
            this.cut = cut;
            this.restart = restart;
            bench = new QueryBench<>(new RealStore(cut));
        }

        /// What is not a query is not about the store.
        String run(Command command) {
            switch (command.name()) {
                case "database" -> bench = new QueryBench<>(new RealStore(cut));
                case "query" -> {
                    if (restart) {
                        bench.database.restart();
                    }
                    return bench.answer(command.input());
                }
                default -> {}
            }
            return command.expected();
        }
    }
}
