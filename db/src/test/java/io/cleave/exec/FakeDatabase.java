package io.cleave.exec;

import io.cleave.base.Bytes;
import io.cleave.plan.Program.SchemeStep;
import io.cleave.schema.Column;
import io.cleave.schema.Index;
import io.cleave.schema.IndexRules;
import io.cleave.schema.KeyRange;
import io.cleave.schema.Table;
import io.cleave.schema.TableChange;
import io.cleave.schema.TableDefinition;
import io.cleave.schema.TableDefinition.Layout;
import io.cleave.schema.TableDefinition.NewColumn;
import io.cleave.schema.TableDefinition.TypedValue;
import io.cleave.txn.Isolation;
import io.cleave.txn.Transaction;
import io.cleave.value.KeyCodec;
import io.cleave.value.Type;
import io.cleave.value.Value;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/// Tables and their rows in maps: what a query sees of the store, without the store. Changes of
/// tables are done without the checks of the catalog.
public final class FakeDatabase implements QueryStore {
    private final Map<String, Table> tables = new HashMap<>();
    private final Map<Long, List<Bytes>> cuts = new HashMap<>();
    private final Map<Long, NavigableMap<Bytes, Value[]>> rows = new HashMap<>();
    private long nextId = 1;

    @Override
    public Optional<Table> find(String path) {
        return Optional.ofNullable(tables.get(path));
    }

    @Override
    public int tabletCount(Table table, KeyRange range) {
        List<Bytes> bounds = cuts.getOrDefault(table.id(), List.of());
        int count = 0;
        Bytes from = Bytes.EMPTY;
        for (int index = 0; index <= bounds.size(); index++) {
            Bytes to = index < bounds.size() ? bounds.get(index) : null;
            if (new KeyRange(from, to).intersects(range)) {
                count++;
            }
            from = to == null ? from : to;
        }
        return count;
    }

    /// Tablets are in cells 1 and 2 by turns.
    @Override
    public Set<Long> cells(Table table, KeyRange range) {
        List<Bytes> bounds = cuts.getOrDefault(table.id(), List.of());
        Set<Long> cells = new TreeSet<>();
        for (int index = 0; index <= bounds.size(); index++) {
            Bytes from = index == 0 ? Bytes.EMPTY : bounds.get(index - 1);
            Bytes to = index < bounds.size() ? bounds.get(index) : null;
            if (new KeyRange(from, to).intersects(range)) {
                cells.add(1L + index % 2);
            }
        }
        return cells;
    }

    NavigableMap<Bytes, Value[]> rows(Table table) {
        return rows.computeIfAbsent(table.id(), _ -> new TreeMap<>());
    }

    @Override
    public Transaction begin() {
        return new FakeTransaction(this, Isolation.SERIALIZABLE);
    }

    @Override
    public void apply(SchemeStep step) {
        switch (step) {
            case SchemeStep.CreateTable(TableDefinition definition, _) -> create(definition);
            case SchemeStep.DropTable(String path, _) -> tables.remove(path);
            case SchemeStep.AlterTable(String path, List<TableChange> changes) ->
                    changes.forEach(change -> alter(path, change));
        }
    }

    private void create(TableDefinition definition) {
        List<Column> columns = new ArrayList<>();
        for (NewColumn column : definition.columns()) {
            columns.add(column(columns.size(), column));
        }
        List<String> names = columns.stream().map(Column::name).toList();
        var table =
                new Table(
                        nextId++,
                        1,
                        definition.path(),
                        columns,
                        definition.primaryKey().stream().map(names::indexOf).toList(),
                        columns.size(),
                        definition.families(),
                        definition.options(),
                        definition.attributes(),
                        0,
                        definition.indexes(),
                        0);
        tables.put(table.path(), table);
        for (Index index : table.indexes()) {
            addIndexTable(table, index);
        }
        if (definition.layout() instanceof Layout.AtKeys(List<List<TypedValue>> keys)) {
            List<Type> types = table.key().stream().map(Column::type).toList();
            List<Bytes> bounds = new ArrayList<>();
            for (List<TypedValue> key : keys) {
                Value[] values = key.stream().map(TypedValue::value).toArray(Value[]::new);
                bounds.add(KeyCodec.encode(types, values));
            }
            cuts.put(table.id(), bounds);
        }
    }

    private void addIndexTable(Table table, Index index) {
        Table indexTable = IndexRules.table(table, index, nextId++, 0);
        tables.put(indexTable.path(), indexTable);
        var entries = new IndexEntries(table, index, indexTable);
        var writer = new FakeTransaction(this, Isolation.SERIALIZABLE);
        for (Value[] row : rows(table).values()) {
            writer.write(indexTable, entries.key(row), entries.write(row));
        }
    }

    private static Column column(int id, NewColumn column) {
        return new Column(
                id,
                column.name(),
                column.type(),
                column.notNull(),
                column.family(),
                column.preset());
    }

    private void alter(String path, TableChange change) {
        Table table = find(path).orElseThrow();
        List<Column> columns = new ArrayList<>(table.columns());
        switch (change) {
            case TableChange.AddColumn(NewColumn column) -> {
                columns.add(column(table.nextColumnId(), column));
                rows(table).replaceAll((_, row) -> with(row, Value.Null.NULL));
            }
            case TableChange.AddIndex(Index index) -> {
                Index ready = index.with(Index.State.READY);
                List<Index> all = new ArrayList<>(table.indexes());
                all.add(ready);
                Table indexed = table.with(all);
                tables.put(path, indexed);
                addIndexTable(indexed, ready);
                return;
            }
            case TableChange.DropIndex(String name) -> {
                List<Index> all = new ArrayList<>(table.indexes());
                all.removeIf(index -> index.name().equals(name));
                tables.put(path, table.with(all));
                tables.remove(Index.path(path, name));
                return;
            }
            case TableChange.RenameIndex(String name, String toName, _) -> {
                List<Index> all = new ArrayList<>(table.indexes());
                all.replaceAll(
                        index -> index.name().equals(name) ? index.named(toName) : index);
                tables.put(path, table.with(all));
                Table moved = tables.remove(Index.path(path, name));
                if (moved != null) {
                    tables.put(
                            Index.path(path, toName), moved.movedTo(Index.path(path, toName)));
                }
                return;
            }
            // The rest changes nothing that a query sees here.
            default -> {}
        }
        tables.put(
                path,
                new Table(
                        table.id(),
                        table.version() + 1,
                        path,
                        columns,
                        table.keyColumns(),
                        table.nextColumnId() + 1,
                        table.families(),
                        table.options(),
                        table.attributes(),
                        0,
                        table.indexes(),
                        0));
    }

    private static Value[] with(Value[] row, Value last) {
        Value[] longer = Arrays.copyOf(row, row.length + 1);
        longer[row.length] = last;
        return longer;
    }
}
