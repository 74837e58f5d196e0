package io.cleave.query;

import io.cleave.exec.QueryBench;
import io.cleave.testkit.DataDriven;
import io.cleave.testkit.DataDriven.Command;

import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

import java.io.IOException;
import java.nio.file.Path;
import java.util.stream.Stream;

/// The texts of testdata/queries on the real store: as they are; on tables that are cut into
/// tablets at every second small key, over three cells; with memtables of a kilobyte while every
/// tablet is split, and some go to another cell, after every statement; and with a restart before
/// every statement. The rows must not differ.
class StoreQueriesTest {
    private static final Path QUERIES = Path.of("src/test/testdata/queries");

    /// The texts in YTsaurus' language.
    private static final Path YT_QUERIES = Path.of("src/test/testdata/ytql/queries");

    @TestFactory
    Stream<DynamicTest> onOneTablet() throws IOException {
        return Stream.concat(
                DataDriven.check(QUERIES, new Runner(Way.PLAIN)::run),
                DataDriven.check(YT_QUERIES, new Runner(Way.PLAIN)::run));
    }

    @TestFactory
    Stream<DynamicTest> onManyTablets() throws IOException {
        return Stream.concat(
                DataDriven.check(QUERIES, new Runner(Way.CUT)::run),
                DataDriven.check(YT_QUERIES, new Runner(Way.CUT)::run));
    }

    @TestFactory
    Stream<DynamicTest> withSplitsAndMovesAfterEveryStatement() throws IOException {
        return Stream.concat(
                DataDriven.check(QUERIES, new Runner(Way.SHAKEN)::run),
                DataDriven.check(YT_QUERIES, new Runner(Way.SHAKEN)::run));
    }

    @TestFactory
    Stream<DynamicTest> withARestartBeforeEveryStatement() throws IOException {
        return Stream.concat(
                DataDriven.check(QUERIES, new Runner(Way.RESTARTED)::run),
                DataDriven.check(YT_QUERIES, new Runner(Way.RESTARTED)::run));
    }

    private enum Way {
        PLAIN,
        CUT,
        SHAKEN,
        RESTARTED
    }

    private static final class Runner {
        private final Way way;
        private QueryBench<RealStore> bench;

        Runner(Way way) {
            this.way = way;
            bench = open();
        }

        private QueryBench<RealStore> open() {
            return new QueryBench<>(
                    switch (way) {
                        case PLAIN, RESTARTED -> new RealStore(false);
                        case CUT -> new RealStore(true);
                        case SHAKEN -> RealStore.tiny();
                    });
        }

        /// What is not a query is not about the store.
        String run(Command command) {
            switch (command.name()) {
                case "database" -> {
                    bench.database.store.close();
                    bench = open();
                }
                case "query", "yt" -> {
                    if (way == Way.RESTARTED) {
                        bench.database.restart();
                    }
                    String answer =
                            command.name().equals("yt")
                                    ? bench.answerYt(command.input())
                                    : bench.answer(command.input());
                    if (way == Way.SHAKEN) {
                        bench.database.shake();
                    }
                    return answer;
                }
                default -> {}
            }
            return command.expected();
        }
    }
}
