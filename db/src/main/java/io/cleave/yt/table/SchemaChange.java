package io.cleave.yt.table;

import io.cleave.access.Caller;
import io.cleave.base.Bytes;
import io.cleave.cluster.TabletInfo;
import io.cleave.schema.ColumnFamily;
import io.cleave.schema.Table;
import io.cleave.schema.TableChange;
import io.cleave.schema.TableChange.AddColumn;
import io.cleave.schema.TableChange.AddFamily;
import io.cleave.schema.TableChange.DropNotNull;
import io.cleave.schema.TableChange.SetColumnFamily;
import io.cleave.schema.TableChange.SetColumnOrder;
import io.cleave.schema.TableChange.SetYt;
import io.cleave.schema.YtColumn;
import io.cleave.schema.YtTable;
import io.cleave.value.Type;
import io.cleave.value.YsonNode;
import io.cleave.yt.error.YtException;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/// Replaces the schema of a table that is not mounted. A table with rows keeps its rows, so it
/// allows only some changes. A table without rows allows any schema.
record SchemaChange(YtTables tables, Caller caller) {
    void run(String path, YsonNode given) {
        boolean _ =
                tables.locked(
                        caller,
                        path,
                        table -> {
                            YtTables.checkUnmounted(table, "Cannot change table schema");
                            YtSchema before = TableSchemas.of(table);
                            YtSchema after =
                                    SchemaRules.read(given, Optional.of(before), tables.computed());
                            if (!after.equals(before)) {
                                change(table, before, after);
                            }
                            return true;
                        });
    }

    private void change(Table table, YtSchema before, YtSchema after) {
        if (isCompatible(before, after) || !tables.isEmpty(table)) {
            SchemaRules.checkChange(before, after);
            tables.tree(caller).alterTable(table.path(), changes(table, after));
        } else {
            replace(table, before, after);
        }
    }

    private static boolean isCompatible(YtSchema before, YtSchema after) {
        try {
            SchemaRules.checkChange(before, after);
            return true;
        } catch (YtException _) {
            return false;
        }
    }

    /// The changes of a table with rows. New columns get the next ids, in this order.
    private static List<TableChange> changes(Table table, YtSchema after) {
        var settings = YtSettings.of(table);
        List<TableChange> changes = new ArrayList<>();
        for (String name : TableFamilies.names(after)) {
            if (table.families().stream().noneMatch(family -> family.name().equals(name))) {
                var family = TableFamilies.family(name, settings, ColumnFamily.REGULAR);
                changes.add(new AddFamily(TableFamilies.settings(family)));
            }
        }
        Map<Integer, YtColumn> kept = new HashMap<>();
        int nextId = table.nextColumnId();
        for (SchemaColumn column : after.columns()) {
            int index = table.indexOf(column.name());
            if (index < 0) {
                changes.add(new AddColumn(TableSchemas.column(column, Optional.empty())));
                kept.put(nextId++, TableSchemas.kept(column));
                continue;
            }
            var known = table.columns().get(index);
            kept.put(known.id(), TableSchemas.kept(column));
            if (known.notNull() && !column.isRequired()) {
                changes.add(new DropNotNull(column.name()));
            }
            if (!column.isKey() && !known.family().equals(TableSchemas.family(column))) {
                changes.add(new SetColumnFamily(column.name(), TableSchemas.family(column)));
            }
        }
        changes.add(new SetYt(table.options().yt().orElse(YtTable.OTHER).withColumns(kept)));
        changes.add(new SetColumnOrder(after.columns().stream().map(SchemaColumn::name).toList()));
        return changes;
    }

    /// Replaces the schema of a table without rows. The tablets keep their first keys if the types
    /// of the key stay the same.
    private void replace(Table table, YtSchema before, YtSchema after) {
        List<Bytes> pivots =
                types(before).equals(types(after))
                        ? tables.tablets(table).stream()
                                .map(TabletInfo::range)
                                .map(range -> range.from())
                                .toList()
                        : List.of(Bytes.EMPTY);
        SortedMap<String, Bytes> settings =
                new TreeMap<>(table.options().yt().orElse(YtTable.OTHER).settings());
        var yt = new YtTable(true, TableSchemas.kept(after), settings, YtTables.states(table));
        tables.tree(caller)
                .replaceEmpty(
                        table.path(),
                        TableCreation.definition(
                                table.path(),
                                after,
                                tables.computed(),
                                pivots,
                                TableCreation.options(yt, table.options().balancer()),
                                table.attributes()));
    }

    private static List<Type> types(YtSchema schema) {
        return schema.keyColumns().stream().map(column -> column.type().stored()).toList();
    }
}
