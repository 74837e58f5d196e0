package io.cleave.query;

import io.cleave.plan.Program;
import io.cleave.plan.Program.SchemeStep;
import io.cleave.schema.Column;
import io.cleave.schema.Index;
import io.cleave.schema.IndexRules;
import io.cleave.schema.KeyRange;
import io.cleave.schema.SchemeChange;
import io.cleave.schema.Table;
import io.cleave.schema.TableAlteration;
import io.cleave.schema.TableChange;
import io.cleave.schema.TableDefinition;
import io.cleave.schema.TableRules;
import io.cleave.schema.Tables;
import io.cleave.schema.View;
import io.cleave.typed.TypedStatement.AlterTable;
import io.cleave.typed.TypedStatement.ChangeScheme;
import io.cleave.typed.TypedStatement.CreateTable;
import io.cleave.typed.TypedStatement.DropTable;
import io.cleave.typed.TypedStatement.SchemeStatement;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;

/// The tables as they would be after statements that are not run. EXPLAIN compiles the later
/// statements of a text against them. Nothing is written. Threads: one.
final class ChangedTables implements Tables {
    private static final long NOW = 0;

    private final Tables tables;

    /// Changed tables by path; empty for a dropped or renamed table.
    private final Map<String, Optional<Table>> changed = new HashMap<>();

    private final Map<String, Optional<View>> changedViews = new HashMap<>();

    /// Tables that are not stored have negative ids.
    private long nextId = -1;

    ChangedTables(Tables tables) {
        this.tables = tables;
    }

    /// Applies the changes that the program would make to tables and views.
    void apply(Program program) {
        for (Program.Step step : program.steps()) {
            switch (step) {
                case SchemeStep.Change(SchemeStatement statement) -> apply(statement);
                case SchemeStep.CreateTableAs(var definition, _, _, _) -> create(definition);
                case Program.DataStep _ -> {}
            }
        }
    }

    private void apply(SchemeStatement statement) {
        switch (statement) {
            case CreateTable(var definition, _, _) -> create(definition);
            case DropTable(String path, _) -> changed.put(path, Optional.empty());
            case AlterTable(String path, List<TableChange> changes) ->
                    find(path).ifPresent(table -> alter(table, changes));
            case ChangeScheme(SchemeChange.CreateView created) -> create(created);
            case ChangeScheme(SchemeChange.DropView(String path, _)) ->
                    changedViews.put(path, Optional.empty());
            case ChangeScheme _ -> {}
        }
    }

    private void create(TableDefinition definition) {
        if (find(definition.path()).isEmpty()) {
            changed.put(
                    definition.path(), Optional.of(TableRules.create(definition, nextId--, NOW)));
        }
    }

    private void create(SchemeChange.CreateView created) {
        String path = created.path();
        if (view(path).isEmpty()) {
            var view = new View(nextId--, path, created.text(), created.pathPrefix(), NOW);
            changedViews.put(path, Optional.of(view));
        }
    }

    private void alter(Table table, List<TableChange> changes) {
        Table altered = TableAlteration.apply(table, changes);
        // Long-running changes count as done.
        List<TableChange> ends = new ArrayList<>();
        for (Column column : altered.columns()) {
            if (column.settingNotNull()) {
                ends.add(new TableChange.EndNotNull(column.name(), true));
            }
        }
        Table settled = ends.isEmpty() ? altered : TableAlteration.apply(altered, ends);
        Table ready =
                settled.with(
                        settled.indexes().stream()
                                .map(index -> index.with(Index.State.READY))
                                .toList());
        changed.put(table.path(), Optional.empty());
        changed.put(ready.path(), Optional.of(ready));
    }

    @Override
    public Optional<Table> find(String path) {
        Optional<Table> known = changed.get(path);
        if (known != null) {
            return known;
        }
        return path.endsWith("/" + Index.TABLE_NAME) ? indexTable(path) : tables.find(path);
    }

    /// The table of an index is derived from its changed table.
    private Optional<Table> indexTable(String path) {
        String index = parent(path);
        Optional<Table> owner = changed.get(parent(index));
        if (owner == null) {
            return tables.find(path);
        }
        return owner.flatMap(
                table ->
                        table.index(index.substring(index.lastIndexOf('/') + 1))
                                .map(of -> IndexRules.table(table, of, nextId--, NOW)));
    }

    private static String parent(String path) {
        return path.substring(0, Math.max(0, path.lastIndexOf('/')));
    }

    @Override
    public Optional<View> view(String path) {
        Optional<View> known = changedViews.get(path);
        return known != null ? known : tables.view(path);
    }

    /// A new table has one tablet.
    @Override
    public int tabletCount(Table table, KeyRange range) {
        return isStored(table) ? tables.tabletCount(table, range) : 1;
    }

    @Override
    public OptionalLong estimatedRows(Table table, KeyRange range) {
        return isStored(table) ? tables.estimatedRows(table, range) : OptionalLong.empty();
    }

    @Override
    public Set<Long> cells(Table table, KeyRange range) {
        return isStored(table) ? tables.cells(table, range) : Set.of();
    }

    private static boolean isStored(Table table) {
        return table.id() >= 0;
    }
}
