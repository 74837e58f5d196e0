package io.cleave.schema;

import io.cleave.base.Status;
import io.cleave.base.StatusException;
import io.cleave.schema.TableChange.AddColumn;
import io.cleave.schema.TableChange.AddFamily;
import io.cleave.schema.TableChange.AddIndex;
import io.cleave.schema.TableChange.AlterFamily;
import io.cleave.schema.TableChange.AlterIndex;
import io.cleave.schema.TableChange.DropColumn;
import io.cleave.schema.TableChange.DropIndex;
import io.cleave.schema.TableChange.DropNotNull;
import io.cleave.schema.TableChange.EndNotNull;
import io.cleave.schema.TableChange.FamilySettings;
import io.cleave.schema.TableChange.Rename;
import io.cleave.schema.TableChange.RenameIndex;
import io.cleave.schema.TableChange.ResetTtl;
import io.cleave.schema.TableChange.SetAttributes;
import io.cleave.schema.TableChange.SetBalancer;
import io.cleave.schema.TableChange.SetColumnFamily;
import io.cleave.schema.TableChange.SetColumnOrder;
import io.cleave.schema.TableChange.SetKeyBloomFilter;
import io.cleave.schema.TableChange.SetNotNull;
import io.cleave.schema.TableChange.SetPartitioning;
import io.cleave.schema.TableChange.SetPreset;
import io.cleave.schema.TableChange.SetReadReplicas;
import io.cleave.schema.TableChange.SetSequence;
import io.cleave.schema.TableChange.SetTtl;
import io.cleave.schema.TableChange.SetYt;
import io.cleave.schema.TableDefinition.NewColumn;
import io.cleave.value.Value;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// Applies the changes of ALTER TABLE to a table, or refuses them. A pure function: the result is a
/// new definition with the next version.
public final class TableAlteration {
    private final Table table;
    private final List<Column> columns;
    private final List<ColumnFamily> families;
    private final Map<String, String> attributes;
    private final List<Index> indexes;
    private TableOptions options;
    private String path;
    private int nextColumnId;

    private TableAlteration(Table table) {
        this.table = table;
        columns = new ArrayList<>(table.columns());
        families = new ArrayList<>(table.families());
        attributes = new HashMap<>(table.attributes());
        indexes = new ArrayList<>(table.indexes());
        options = table.options();
        path = table.path();
        nextColumnId = table.nextColumnId();
    }

    public static Table apply(Table table, List<TableChange> changes) {
        var alteration = new TableAlteration(table);
        // Families first: columns may use families that the same statement adds, in any order.
        for (TableChange change : changes) {
            switch (change) {
                case AddFamily(FamilySettings family) -> alteration.addFamily(family);
                case AlterFamily(FamilySettings family) -> alteration.alterFamily(family);
                default -> {}
            }
        }
        changes.forEach(alteration::apply);
        return alteration.result();
    }

    /// This table under another id.
    public static Table again(Table table, long id) {
        return unused(table, id, table.columns(), table.options());
    }

    /// The table with the next version, in which no column is being changed to NOT NULL any more.
    /// Never refused.
    public static Table withoutSettingNotNull(Table table) {
        var alteration = new TableAlteration(table);
        alteration.columns.replaceAll(
                column -> column.settingNotNull() ? column.with(false, false) : column);
        return alteration.unchecked(table.keyColumns());
    }

    /// A table that is not in use yet, with other columns of the same names.
    public static Table withColumns(Table table, List<Column> columns) {
        return unused(table, table.id(), columns, table.options());
    }

    /// A table that is not in use yet, with another partitioning.
    public static Table withPartitioning(Table table, Partitioning partitioning) {
        return withOptions(table, table.options().with(partitioning));
    }

    /// A table that is not in use yet, with other options.
    public static Table withOptions(Table table, TableOptions options) {
        return unused(table, table.id(), table.columns(), options);
    }

    private static Table unused(Table table, long id, List<Column> columns, TableOptions options) {
        return new Table(
                id,
                table.version(),
                table.path(),
                columns,
                table.keyColumns(),
                table.nextColumnId(),
                table.families(),
                options,
                table.attributes(),
                table.createdMicros(),
                table.indexes(),
                table.ownerId(),
                table.wholeFrom());
    }

    private void apply(TableChange change) {
        switch (change) {
            case AddColumn(NewColumn column) -> addColumn(column);
            case DropColumn(String name) -> dropColumn(name);
            case DropNotNull(String name) -> {
                Column column = existing(name);
                if (isKey(column) && !TableRules.isYt(options)) {
                    throw TableRules.refuse("Cannot drop NOT NULL of key column '" + name + "'");
                }
                refuseSettingNotNull(table, column);
                replace(column, column.with(false, false));
            }
            case SetNotNull(String name) -> setNotNull(existing(name));
            case EndNotNull(String name, boolean holds) ->
                    replace(existing(name), existing(name).with(holds, false));
            case SetPreset(String name, Optional<Preset> preset) -> setPreset(name, preset);
            case SetSequence(String name, Sequence sequence) -> {
                Column column = existing(name);
                replace(column, column.with(sequence));
            }
            case SetColumnFamily(String name, String family) -> setFamily(name, family);
            // Applied before, because columns of the same statement may use these families.
            case AddFamily _, AlterFamily _ -> {}
            case SetPartitioning wanted -> options = options.with(partitioning(wanted));
            case SetKeyBloomFilter(boolean enabled) ->
                    options = options.withKeyBloomFilter(enabled);
            case SetReadReplicas(TableOptions.ReadReplicas replicas) ->
                    options =
                            options.withReadReplicas(
                                    Optional.of(replicas).filter(wanted -> wanted.count() > 0));
            case SetBalancer(Optional<Balancer> balancer) ->
                    options = options.withBalancer(balancer);
            case SetTtl(TableOptions.Ttl ttl) -> setTtl(Optional.of(ttl));
            case ResetTtl() -> setTtl(Optional.empty());
            case SetAttributes(Map<String, String> wanted) ->
                    wanted.forEach(
                            (name, value) -> {
                                if (value.isEmpty()) {
                                    attributes.remove(name);
                                } else {
                                    attributes.put(name, value);
                                }
                            });
            case AddIndex(Index index) -> addIndex(index);
            case DropIndex(String name) -> indexes.remove(index(name));
            case RenameIndex(String name, String toName, boolean replace) ->
                    renameIndex(name, toName, replace);
            // The change concerns the index table.
            case AlterIndex(String name, _) -> index(name);
            case Rename(String toPath) -> path = toPath;
            case SetYt(YtTable yt) -> options = options.with(yt);
            case SetColumnOrder(List<String> names) ->
                    columns.sort(Comparator.comparingInt(column -> place(names, column)));
        }
    }

    /// Columns that are not named stay behind the others.
    private static int place(List<String> names, Column column) {
        int place = names.indexOf(column.name());
        return place < 0 ? names.size() : place;
    }

    private Table result() {
        TableRules.checkColumnCount(options, columns.size());
        TableRules.checkFamilies(families);
        TableRules.checkTtl(options, columns);
        TableRules.checkAttributes(attributes);
        TableRules.checkPartitioning(options.partitioning());
        TableRules.checkReadReplicas(options);
        IndexRules.check(indexes, columns, table.key());
        List<Integer> key =
                table.key().stream()
                        .map(
                                keyColumn -> {
                                    for (int index = 0; index < columns.size(); index++) {
                                        if (columns.get(index).id() == keyColumn.id()) {
                                            return index;
                                        }
                                    }
                                    throw new IllegalStateException(
                                            "key column " + keyColumn.name() + " is gone");
                                })
                        .toList();
        return unchecked(key);
    }

    private Table unchecked(List<Integer> key) {
        return new Table(
                table.id(),
                table.version() + 1,
                path,
                columns,
                key,
                nextColumnId,
                families,
                options,
                attributes,
                table.createdMicros(),
                indexes,
                table.ownerId(),
                table.wholeFrom());
    }

    private void addColumn(NewColumn column) {
        if (columns.stream().anyMatch(known -> known.name().equals(column.name()))) {
            throw TableRules.refuseName(
                    "AlterTable : "
                            + table.path()
                            + " Column: \""
                            + column.name()
                            + "\" already exists");
        }
        if (column.notNull() && column.preset().isEmpty()) {
            throw TableRules.refuseChange(
                    "Cannot add not null column without default value: '" + column.name() + "'");
        }
        columns.add(added(TableRules.column(column, nextColumnId++, columns, families, options)));
    }

    /// Existing rows have the preset from now on, even if the preset changes later. A column with a
    /// sequence gets its numbers row by row, and becomes NOT NULL when all rows have one.
    private static Column added(Column column) {
        if (column.sequence().isPresent()) {
            return column.with(false, true);
        }
        return column.preset().isPresent()
                        && column.preset().get() instanceof Preset.Literal(Value value)
                ? column.withMissing(Optional.of(value))
                : column;
    }

    private void setNotNull(Column column) {
        refuseSettingNotNull(table, column);
        for (Index index : indexes) {
            // The entries of the index may be older than the rows that are checked.
            if (index.kind() == Index.Kind.ASYNC && index.has(column.name())) {
                throw new StatusException(
                        Status.UNSUPPORTED,
                        "SET NOT NULL of column '%s' is not supported while the ASYNC index '%s' has it"
                                .formatted(column.name(), index.name()));
            }
        }
        if (column.notNull()) {
            return;
        }
        // A column with a sequence that is being changed to NOT NULL is assumed to be newly added,
        // and is dropped if the change fails. So an existing column must not get into that state.
        if (column.sequence().isPresent()) {
            throw new StatusException(
                    Status.UNSUPPORTED,
                    "SET NOT NULL of column '%s' is not supported: it is filled from a sequence"
                            .formatted(column.name()));
        }
        replace(column, column.with(false, true));
    }

    private void dropColumn(String name) {
        Column column = existing(name);
        if (isKey(column)) {
            throw TableRules.refuseName(
                    "Column: \"" + name + "\" is a key column. Key column drop is not supported");
        }
        if (options.ttl().isPresent() && options.ttl().get().column().equals(name)) {
            throw TableRules.refuseChange(
                    "Can't drop TTL column: '" + name + "', disable TTL first");
        }
        for (Index index : indexes) {
            if (index.columns().contains(name)) {
                throw TableRules.refuseForIndex(
                        "Impossible drop column because table has an index with that column, column"
                                + " name: "
                                + name
                                + ", index: "
                                + index.name());
            }
            if (index.cover().contains(name)) {
                throw TableRules.refuseForIndex(
                        "Impossible drop column because table index covers that column, column"
                                + " name: "
                                + name
                                + ", index: "
                                + index.name());
            }
        }
        columns.remove(column);
    }

    private void addIndex(Index added) {
        for (Column column : columns) {
            if (added.has(column.name())) {
                refuseSettingNotNull(table, column);
                refuseComputedOnRead(column, "cannot be in an index");
            }
        }
        for (Index index : indexes) {
            if (index.name().equals(added.name())) {
                throw TableRules.refuse(
                        "Check failed: path: '%s/%s', error: path exist, request doesn't accept it"
                                .formatted(table.path(), added.name()));
            }
            if (!index.isReady()) {
                throw underOperation(table, "index '" + index.name() + "' is being built");
            }
        }
        indexes.add(added);
    }

    /// Refuses a change that cannot run while rows are checked for NULL.
    public static void refuseSettingNotNull(Table table) {
        table.columns().forEach(column -> refuseSettingNotNull(table, column));
    }

    private static void refuseSettingNotNull(Table table, Column column) {
        if (column.settingNotNull()) {
            throw underOperation(table, "column '" + column.name() + "' becomes NOT NULL");
        }
    }

    private static StatusException underOperation(Table table, String which) {
        return new StatusException(
                Status.OVERLOADED,
                "Check failed: path: '%s', error: path is under operation: %s"
                        .formatted(table.path(), which));
    }

    private void renameIndex(String name, String toName, boolean replace) {
        Index renamed = index(name);
        Optional<Index> there =
                indexes.stream().filter(index -> index.name().equals(toName)).findFirst();
        if (there.isPresent() && (!replace || name.equals(toName))) {
            throw TableRules.refuse(
                    "Check failed: path: '%s/%s', error: path exist, request doesn't accept it"
                            .formatted(table.path(), toName));
        }
        there.ifPresent(indexes::remove);
        indexes.set(indexes.indexOf(renamed), renamed.named(toName));
    }

    private Index index(String name) {
        return indexes.stream()
                .filter(index -> index.name().equals(name))
                .findFirst()
                .orElseThrow(
                        () ->
                                TableRules.refuse(
                                        "Check failed: path: '%s/%s', error: path hasn't been resolved"
                                                .formatted(table.path(), name)));
    }

    private void setFamily(String name, String family) {
        Column column = existing(name);
        if (isKey(column)) {
            throw TableRules.refuse("Cannot set family for key column " + name);
        }
        replace(column, column.with(column.notNull(), family(family).name(), column.preset()));
    }

    private void setPreset(String name, Optional<Preset> preset) {
        Column column = existing(name);
        if (column.preset().orElse(null) instanceof Preset.Generated) {
            throw TableRules.refuse("Column '" + name + "' is generated: it has no default");
        }
        if (column.sequence().isPresent()) {
            throw TableRules.refuse(
                    "Column '" + name + "' is filled from a sequence: its default cannot change");
        }
        replace(column, column.with(column.notNull(), column.family(), preset));
    }

    private void addFamily(FamilySettings wanted) {
        if (families.stream().anyMatch(known -> known.name().equals(wanted.name()))) {
            throw TableRules.refuse(
                    "Column family '%s' already exists: ALTER FAMILY changes it"
                            .formatted(wanted.name()));
        }
        families.add(wanted.over(ColumnFamily.DEFAULT));
    }

    private void alterFamily(FamilySettings wanted) {
        ColumnFamily known = family(wanted.name());
        families.set(families.indexOf(known), wanted.over(known));
    }

    private ColumnFamily family(String name) {
        return families.stream()
                .filter(known -> known.name().equals(name))
                .findFirst()
                .orElseThrow(() -> TableRules.refuse("Unknown column family '" + name + "'"));
    }

    /// The values of such a column are not in the rows.
    private void refuseComputedOnRead(Column column, String what) {
        boolean computedOnRead =
                options.yt()
                        .map(yt -> yt.columns().get(column.id()))
                        .filter(known -> known.expression().isPresent() && !known.materialized())
                        .isPresent();
        if (computedOnRead) {
            throw TableRules.refuse(
                    "Column '%s' %s: it is computed when rows are read (materialized=%%false)"
                            .formatted(column.name(), what));
        }
    }

    private void setTtl(Optional<TableOptions.Ttl> ttl) {
        for (Column column : columns) {
            if (ttl.isPresent() && ttl.get().column().equals(column.name())) {
                refuseComputedOnRead(column, "cannot be the column of a TTL");
            }
        }
        options = options.withTtl(ttl);
    }

    /// YDB resets dependent values when a policy is enabled: the size and the minimum for BY_SIZE,
    /// the minimum for BY_LOAD. A value in the same statement takes precedence. A size that was set
    /// while BY_SIZE was DISABLED applies once BY_SIZE is enabled.
    private Partitioning partitioning(SetPartitioning wanted) {
        Partitioning now = options.partitioning();
        boolean enablesSize = wanted.bySize().orElse(false);
        boolean enablesLoad = wanted.byLoad().orElse(false);
        boolean isBySize = wanted.bySize().orElse(now.bySize());
        long size = now.sizeMegabytes();
        if (now.bySize() && !isBySize) {
            size = Partitioning.NO_SIZE;
        } else if (enablesSize && (now.bySize() || size == Partitioning.NO_SIZE)) {
            size = Partitioning.DEFAULT.sizeMegabytes();
        }
        long min = enablesSize || enablesLoad ? Partitioning.DEFAULT.minCount() : now.minCount();
        return new Partitioning(
                isBySize,
                wanted.sizeMegabytes().orElse(size),
                wanted.byLoad().orElse(now.byLoad()),
                wanted.minCount().orElse(min),
                wanted.maxCount().orElse(now.maxCount()));
    }

    private Column existing(String name) {
        return columns.stream()
                .filter(column -> column.name().equals(name))
                .findFirst()
                .orElseThrow(
                        () ->
                                TableRules.refuseName(
                                        "AlterTable : "
                                                + table.path()
                                                + " Column: \""
                                                + name
                                                + "\" does not exist"));
    }

    private boolean isKey(Column column) {
        return table.key().stream().anyMatch(key -> key.id() == column.id());
    }

    private void replace(Column column, Column changed) {
        columns.set(columns.indexOf(column), changed);
    }
}
