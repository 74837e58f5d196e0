package io.cleave.query;

import io.cleave.exec.QueryBench;
import io.cleave.exec.QueryStore;
import io.cleave.plan.Program.SchemeStep;
import io.cleave.schema.KeyRange;
import io.cleave.schema.Table;
import io.cleave.schema.TableDefinition;
import io.cleave.schema.TableDefinition.Layout;
import io.cleave.schema.TableDefinition.NewColumn;
import io.cleave.schema.TableDefinition.TypedValue;
import io.cleave.testkit.DataDriven;
import io.cleave.testkit.DataDriven.Command;
import io.cleave.testkit.TestStore;
import io.cleave.txn.Isolation;
import io.cleave.txn.Transaction;
import io.cleave.value.Ints;
import io.cleave.value.Type.Primitive;
import io.cleave.value.Value;

import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
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
                        bench.database.store.restart();
                    }
                    return bench.answer(command.input());
                }
                default -> {}
            }
            return command.expected();
        }
    }

    private static final class RealStore implements QueryStore {
        private final TestStore store = new TestStore();
        private final boolean cut;

        RealStore(boolean cut) {
            this.cut = cut;
        }

        @Override
        public Transaction begin() {
            return store.transactions().begin(Isolation.SERIALIZABLE);
        }

        @Override
        public void apply(SchemeStep step) {
            switch (step) {
                case SchemeStep.CreateTable(TableDefinition table, boolean ifNotExists) ->
                        store.cluster().createTable(cut ? cut(table) : table, ifNotExists);
                case SchemeStep.AlterTable(String path, var changes) ->
                        store.cluster().alterTable(path, changes);
                case SchemeStep.DropTable(String path, boolean ifExists) ->
                        store.cluster().dropTable(path, ifExists);
            }
        }

        @Override
        public Optional<Table> find(String path) {
            return store.cluster().find(path);
        }

        @Override
        public int tabletCount(Table table, KeyRange range) {
            return store.cluster().tabletCount(table, range);
        }

        private static TableDefinition cut(TableDefinition table) {
            boolean number =
                    table.columns().stream()
                            .filter(column -> table.primaryKey().indexOf(column.name()) == 0)
                            .map(NewColumn::type)
                            .anyMatch(Ints::isInteger);
            if (!number || !(table.layout() instanceof Layout.Single)) {
                return table;
            }
            return new TableDefinition(
                    table.path(),
                    table.columns(),
                    table.primaryKey(),
                    table.families(),
                    table.options(),
                    new Layout.AtKeys(List.of(at(2), at(4), at(6), at(100))),
                    table.attributes());
        }

        private static List<TypedValue> at(long key) {
            return List.of(new TypedValue(Primitive.INT32, Value.of(key)));
        }
    }
}
