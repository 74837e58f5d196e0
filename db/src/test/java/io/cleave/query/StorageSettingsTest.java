package io.cleave.query;

import static org.assertj.core.api.Assertions.assertThat;

import io.cleave.blob.MemoryBlobs;
import io.cleave.exec.QueryBench;
import io.cleave.lsm.table.Expiry;
import io.cleave.lsm.table.StoredFamily;
import io.cleave.lsm.table.TreeSettings;
import io.cleave.schema.Table;
import io.cleave.tablet.CellOptions;
import io.cleave.tablet.Route;
import io.cleave.testkit.DataDriven;
import io.cleave.testkit.DataDriven.Command;
import io.cleave.testkit.TestStore;

import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/// What CREATE and ALTER TABLE say about storage, as the tablets get it: testdata/storage. Tables
/// are cut into several tablets, and all of them must agree.
class StorageSettingsTest {
    @TestFactory
    Stream<DynamicTest> tabletsStoreRowsAsTheirTableSays() throws IOException {
        return DataDriven.run(Path.of("src/test/testdata/storage"), new Runner(false)::run);
    }

    @TestFactory
    Stream<DynamicTest> soTheyDoAfterARestart() throws IOException {
        return DataDriven.check(Path.of("src/test/testdata/storage"), new Runner(true)::run);
    }

    private static final class Runner {
        private final boolean restart;
        private QueryBench<RealStore> bench = bench();

        Runner(boolean restart) {
            this.restart = restart;
        }

        private static QueryBench<RealStore> bench() {
            return new QueryBench<>(
                    new RealStore(
                            new TestStore(
                                    CellOptions.DEFAULT,
                                    new MemoryBlobs(Set.of("", "hdd", "tape"))),
                            true));
        }

        String run(Command command) {
            return switch (command.name()) {
                case "database" -> {
                    bench = bench();
                    yield "empty";
                }
                case "query" -> bench.answer(command.input());
                case "tablets" -> {
                    if (restart) {
                        bench.database.store.restart();
                    }
                    yield tablets("/local/" + command.args().get("table"));
                }
                default -> throw new IllegalArgumentException(command.name());
            };
        }

        private String tablets(String path) {
            Table table = bench.database.find(path).orElseThrow();
            Set<TreeSettings> settings =
                    bench.database.store.tablets().map(table).routes().stream()
                            .map(Route::tablet)
                            .map(tablet -> tablet.settings())
                            .collect(Collectors.toSet());
            assertThat(settings).hasSize(1);
            return text(settings.iterator().next());
        }

        private static String text(TreeSettings settings) {
            var text = new StringBuilder();
            for (StoredFamily family : settings.families()) {
                text.append(family.name())
                        .append(family.columns().isEmpty() ? "" : " " + family.columns())
                        .append(": ")
                        .append(words(family.compression()))
                        .append(family.medium().isEmpty() ? "" : " on " + family.medium())
                        .append(", ")
                        .append(words(family.cacheMode()))
                        .append('\n');
            }
            text.append("key filter: ").append(settings.keyFilter() ? "yes" : "no").append('\n');
            Expiry expiry = settings.expiry();
            if (expiry != null) {
                text.append("expiry: column %d in %s%n".formatted(expiry.column(), expiry.unit()));
            }
            return text.toString();
        }

        private static String words(Enum<?> word) {
            return word.name().toLowerCase(Locale.ROOT);
        }
    }
}
