package io.cleave.query;

import io.cleave.exec.QueryStore;
import io.cleave.plan.Program.SchemeStep;
import io.cleave.schema.KeyRange;
import io.cleave.schema.Table;
import io.cleave.schema.TableDefinition;
import io.cleave.schema.TableDefinition.Layout;
import io.cleave.schema.TableDefinition.NewColumn;
import io.cleave.schema.TableDefinition.TypedValue;
import io.cleave.testkit.TestStore;
import io.cleave.txn.Isolation;
import io.cleave.txn.Transaction;
import io.cleave.value.Ints;
import io.cleave.value.Type.Primitive;
import io.cleave.value.Value;

import java.util.List;
import java.util.Optional;
import java.util.Set;

/// A store in memory, for query texts. With `cut` tables are cut into tablets at small keys, which
/// lie in three cells.
final class RealStore implements QueryStore {
    final TestStore store;
    private final boolean cut;

    RealStore(boolean cut) {
        this(new TestStore(cut ? 3 : 1), cut);
    }

    RealStore(TestStore store, boolean cut) {
        this.store = store;
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

    @Override
    public Set<Long> cells(Table table, KeyRange range) {
        return store.cluster().cells(table, range);
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
                table.attributes(),
                table.indexes());
    }

    private static List<TypedValue> at(long key) {
        return List.of(new TypedValue(Primitive.INT32, Value.of(key)));
    }
}
