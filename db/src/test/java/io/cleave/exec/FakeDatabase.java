package io.cleave.exec;

import io.cleave.base.Bytes;
import io.cleave.base.Check;
import io.cleave.base.Issue;
import io.cleave.base.Status;
import io.cleave.base.StatusException;
import io.cleave.plan.Program;
import io.cleave.plan.Program.SchemeStep;
import io.cleave.schema.Column;
import io.cleave.schema.Index;
import io.cleave.schema.IndexRules;
import io.cleave.schema.KeyRange;
import io.cleave.schema.SchemeChange;
import io.cleave.schema.Sequence;
import io.cleave.schema.Table;
import io.cleave.schema.TableAlteration;
import io.cleave.schema.TableChange;
import io.cleave.schema.TableDefinition;
import io.cleave.schema.TableDefinition.Layout;
import io.cleave.schema.TableDefinition.TypedValue;
import io.cleave.schema.TableRules;
import io.cleave.schema.View;
import io.cleave.testkit.TestMemory;
import io.cleave.txn.Isolation;
import io.cleave.txn.Transaction;
import io.cleave.typed.TypedStatement.AlterTable;
import io.cleave.typed.TypedStatement.ChangeScheme;
import io.cleave.typed.TypedStatement.CreateTable;
import io.cleave.typed.TypedStatement.DropTable;
import io.cleave.value.KeyCodec;
import io.cleave.value.Type;
import io.cleave.value.Value;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.TreeSet;

/// Tables and their rows in maps: what a query sees of the store, without the store. Changes of
/// tables are done without the checks of the tree.
public final class FakeDatabase implements QueryStore {
    private final Map<String, Table> tables = new HashMap<>();
    private final Map<Long, List<Bytes>> cuts = new HashMap<>();
    private final Map<Long, NavigableMap<Bytes, Value[]>> rows = new HashMap<>();
    private final Map<String, View> views = new HashMap<>();
    private final Map<String, Long> sequences = new HashMap<>();
    private final Map<Long, Long> estimates = new HashMap<>();
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

    /// What it will say of how many rows a table has; until then it does not know.
    void setEstimate(String path, long count) {
        estimates.put(find(path).orElseThrow().id(), count);
    }

    /// A tenth of all in any part.
    @Override
    public OptionalLong estimatedRows(Table table, KeyRange range) {
        Long all = estimates.get(table.id());
        return all == null
                ? OptionalLong.empty()
                : OptionalLong.of(range.equals(KeyRange.ALL) ? all : all / 10);
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
            case SchemeStep.Change(CreateTable(TableDefinition definition, _, _)) ->
                    create(definition);
            case SchemeStep.Change(DropTable(String path, _)) -> drop(path);
            case SchemeStep.CreateTableAs(TableDefinition definition, _, _, Program query) -> {
                create(definition);
                fill(tables.get(definition.path()), query);
            }
            case SchemeStep.Change(ChangeScheme(SchemeChange change)) -> change(change);
            case SchemeStep.Change(AlterTable(String path, List<TableChange> changes)) ->
                    alter(path, changes);
        }
    }

    private void drop(String path) {
        Table table = tables.remove(path);
        if (table != null) {
            table.indexes().forEach(index -> tables.remove(Index.path(path, index.name())));
        }
    }

    /// All rows of all tables, so that they can be had back.
    Map<Long, NavigableMap<Bytes, Value[]>> copy() {
        Map<Long, NavigableMap<Bytes, Value[]>> copy = new HashMap<>();
        rows.forEach((id, of) -> copy.put(id, new TreeMap<>(of)));
        return copy;
    }

    void restore(Map<Long, NavigableMap<Bytes, Value[]>> copy) {
        rows.clear();
        rows.putAll(copy);
    }

    private void fill(Table table, Program query) {
        List<Type> types = table.key().stream().map(Column::type).toList();
        new ProgramRunner(RunOptions.DEFAULT, TestMemory.runs())
                .run(
                        query,
                        begin(),
                        Map.of(),
                        () -> 0,
                        new SplittableRandom(1),
                        new QueryBench.Sink() {
                            @Override
                            public void row(int resultIndex, Value[] row) {
                                Value[] key =
                                        table.keyColumns().stream()
                                                .map(at -> row[at])
                                                .toArray(Value[]::new);
                                rows(table).put(KeyCodec.encode(types, key), row.clone());
                            }
                        });
    }

    private void change(SchemeChange change) {
        switch (change) {
            case SchemeChange.TruncateTable(String path) -> {
                Table table = find(path).orElseThrow();
                rows(table).clear();
                table.indexes().forEach(index -> addIndexTable(table, index));
            }
            case SchemeChange.CreateView create ->
                    views.put(
                            create.path(),
                            new View(
                                    nextId++,
                                    create.path(),
                                    create.text(),
                                    create.pathPrefix(),
                                    0));
            case SchemeChange.DropView(String path, _) -> views.remove(path);
            case SchemeChange.AlterSequence alter -> alterSequence(alter);
            case SchemeChange.CopyTables _ -> Check.that(false, "no copies here");
            // Nobody asks who may do what.
            case SchemeChange.Access _ -> {}
        }
    }

    private void alterSequence(SchemeChange.AlterSequence alter) {
        int slash = alter.path().lastIndexOf('/');
        Table table = find(alter.path().substring(0, slash)).orElseThrow();
        for (Column column : table.columns()) {
            if (column.sequenceName().equals(alter.path().substring(slash + 1))) {
                Sequence before = column.sequence().orElseThrow();
                Sequence after = before.with(alter.start(), alter.increment());
                String key = table.id() + "/" + column.id();
                long next = sequences.getOrDefault(key, before.start());
                if (alter.restart().isPresent()) {
                    next = alter.restart().get().orElse(after.start());
                    after.check(next, "Restart");
                } else if (sequences.containsKey(key)) {
                    next += after.increment() - before.increment();
                }
                sequences.put(key, next);
                alter(table.path(), List.of(new TableChange.SetSequence(column.name(), after)));
            }
        }
    }

    @Override
    public Optional<View> view(String path) {
        return Optional.ofNullable(views.get(path));
    }

    private void create(TableDefinition definition) {
        Table table = TableRules.create(definition, nextId++, 0);
        tables.put(table.path(), table);
        table.indexes().forEach(index -> addIndexTable(table, index));
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

    private void alter(String path, List<TableChange> changes) {
        Table table = find(path).orElseThrow();
        Table altered = TableAlteration.apply(table, changes);
        rows(table).replaceAll((_, row) -> converted(table, altered, row));
        tables.remove(path);
        table.indexes().forEach(index -> tables.remove(Index.path(path, index.name())));
        List<Index> indexes =
                altered.indexes().stream().map(index -> index.with(Index.State.READY)).toList();
        Table indexed = indexes.isEmpty() ? altered : altered.with(indexes);
        tables.put(indexed.path(), indexed);
        indexes.forEach(index -> addIndexTable(indexed, index));
    }

    /// A row of the one table as one of the other.
    private static Value[] converted(Table from, Table to, Value[] row) {
        Value[] converted = new Value[to.columns().size()];
        for (int index = 0; index < converted.length; index++) {
            Column column = to.columns().get(index);
            converted[index] = column.missing().orElse(Value.Null.NULL);
            for (int old = 0; old < row.length; old++) {
                if (from.columns().get(old).id() == column.id()) {
                    converted[index] = row[old];
                }
            }
        }
        return converted;
    }

    /// Numbers of sequences are given without blocks.
    long nextValue(Table table, int index) {
        Column column = table.columns().get(index);
        Sequence sequence = column.sequence().orElseThrow();
        String path = table.path() + "/" + column.sequenceName();
        String key = table.id() + "/" + column.id();
        long value = sequences.getOrDefault(key, sequence.start());
        if (value > sequence.max()) {
            throw new StatusException(
                    Status.SCHEME_ERROR,
                    Issue.error(
                            Issue.SEQUENCE_EXHAUSTED,
                            "sequence [" + path + "] doesn't have any more values available"));
        }
        sequences.put(key, value + sequence.increment());
        return value;
    }
}
