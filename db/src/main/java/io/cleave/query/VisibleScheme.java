package io.cleave.query;

import io.cleave.base.Issue;
import io.cleave.base.Status;
import io.cleave.base.StatusException;
import io.cleave.cluster.CellInfo;
import io.cleave.cluster.Replicas;
import io.cleave.cluster.TabletInfo;
import io.cleave.query.view.SystemViews;
import io.cleave.schema.Access;
import io.cleave.schema.Column;
import io.cleave.schema.KeyRange;
import io.cleave.schema.ReplicaInfo;
import io.cleave.schema.SchemeChange;
import io.cleave.schema.Table;
import io.cleave.schema.TableChange;
import io.cleave.schema.TableDefinition;
import io.cleave.schema.View;
import io.cleave.tree.PathEntry;
import io.cleave.tree.Scheme;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;

/// The schema tree as users see it: the stored tree, with the system views in `.sys`, where nothing
/// can be changed.
final class VisibleScheme implements Scheme {
    private final Scheme stored;
    private final SystemViews views;

    VisibleScheme(Scheme stored, SystemViews views) {
        this.stored = stored;
        this.views = views;
    }

    @Override
    public String database() {
        return stored.database();
    }

    @Override
    public List<String> media() {
        return stored.media();
    }

    @Override
    public Optional<Table> find(String path) {
        return views.isBelow(path) ? views.find(path) : stored.find(path);
    }

    @Override
    public int tabletCount(Table table, KeyRange range) {
        return SystemViews.holds(table) ? 1 : stored.tabletCount(table, range);
    }

    @Override
    public OptionalLong estimatedRows(Table table, KeyRange range) {
        return SystemViews.holds(table) ? OptionalLong.empty() : stored.estimatedRows(table, range);
    }

    @Override
    public Set<Long> cells(Table table, KeyRange range) {
        return SystemViews.holds(table) ? Set.of() : stored.cells(table, range);
    }

    @Override
    public List<TabletInfo> tablets(Table table) {
        return SystemViews.holds(table) ? List.of() : stored.tablets(table);
    }

    @Override
    public List<CellInfo> cellInfos() {
        return stored.cellInfos();
    }

    @Override
    public List<ReplicaInfo> replicaInfos() {
        return stored.replicaInfos();
    }

    @Override
    public List<Replicas.Copy> replicaCopies(Table table) {
        return SystemViews.holds(table) ? List.of() : stored.replicaCopies(table);
    }

    @Override
    public OptionalLong upcomingNumber(Column column) {
        return stored.upcomingNumber(column);
    }

    @Override
    public PathEntry describe(String path) {
        if (!views.isBelow(path)) {
            return stored.describe(path);
        }
        if (path.equals(views.directory())) {
            return directoryEntry();
        }
        return views.find(path)
                .map(VisibleScheme::viewEntry)
                .orElseThrow(
                        () ->
                                new StatusException(
                                        Status.SCHEME_ERROR,
                                        Issue.error(
                                                Issue.PATH_NOT_FOUND, "Path not found: " + path)));
    }

    @Override
    public List<PathEntry> list(String path) {
        if (path.equals(views.directory())) {
            return views.tables().stream().map(VisibleScheme::viewEntry).toList();
        }
        if (views.isBelow(path)) {
            return List.of();
        }
        List<PathEntry> entries = stored.list(path);
        if (!path.equals(database())) {
            return entries;
        }
        List<PathEntry> all = new ArrayList<>(entries);
        all.removeIf(entry -> entry.name().equals(SystemViews.DIRECTORY));
        all.add(directoryEntry());
        all.sort(Comparator.comparing(PathEntry::name));
        return all;
    }

    @Override
    public boolean createTable(TableDefinition definition, boolean ifNotExists) {
        checkChangeable(definition.path());
        return stored.createTable(definition, ifNotExists);
    }

    @Override
    public boolean dropTable(String path, boolean ifExists) {
        checkChangeable(path);
        return stored.dropTable(path, ifExists);
    }

    @Override
    public void alterTable(String path, List<TableChange> changes) {
        checkChangeable(path);
        stored.find(path).ifPresent(table -> checkDrops(table, changes));
        stored.alterTable(path, changes);
    }

    private static void checkDrops(Table table, List<TableChange> changes) {
        Set<String> dropped = new HashSet<>();
        for (TableChange change : changes) {
            if (change instanceof TableChange.DropColumn(String name)) {
                dropped.add(name);
            }
        }
        if (!dropped.isEmpty()) {
            KeyedTable.checkDrops(table, dropped);
        }
    }

    @Override
    public Optional<View> view(String path) {
        return stored.view(path);
    }

    @Override
    public long changes() {
        return stored.changes();
    }

    @Override
    public Access access() {
        return stored.access();
    }

    @Override
    public boolean change(SchemeChange change) {
        switch (change) {
            case SchemeChange.TruncateTable(String path) -> checkChangeable(path);
            case SchemeChange.CreateView create -> checkChangeable(create.path());
            case SchemeChange.DropView drop -> checkChangeable(drop.path());
            case SchemeChange.CopyTables(List<SchemeChange.Copy> copies) ->
                    copies.forEach(
                            copy -> {
                                checkChangeable(copy.from());
                                checkChangeable(copy.to());
                            });
            case SchemeChange.AlterSequence _, SchemeChange.Access _ -> {}
        }
        return stored.change(change);
    }

    @Override
    public Table createHidden(TableDefinition definition) {
        return stored.createHidden(definition);
    }

    @Override
    public Table copyHidden(String path) {
        checkChangeable(path);
        return stored.copyHidden(path);
    }

    @Override
    public void replaceEmpty(String path, TableDefinition definition) {
        checkChangeable(path);
        stored.replaceEmpty(path, definition);
    }

    @Override
    public void show(Table hidden, String path) {
        checkChangeable(path);
        stored.show(hidden, path);
    }

    @Override
    public void renameTables(List<Renaming> renamings) {
        for (Renaming renaming : renamings) {
            checkChangeable(renaming.from());
            checkChangeable(renaming.to());
        }
        stored.renameTables(renamings);
    }

    @Override
    public boolean makeDirectory(String path) {
        checkChangeable(path);
        return stored.makeDirectory(path);
    }

    @Override
    public void removeDirectory(String path) {
        checkChangeable(path);
        stored.removeDirectory(path);
    }

    private void checkChangeable(String path) {
        if (views.isBelow(path)) {
            throw new StatusException(
                    Status.SCHEME_ERROR,
                    Issue.error(
                            Issue.SCHEME,
                            "Path is reserved for system views and cannot be changed: " + path));
        }
    }

    private PathEntry directoryEntry() {
        return new PathEntry(SystemViews.DIRECTORY, views.directory(), PathEntry.Kind.DIRECTORY, 0);
    }

    private static PathEntry viewEntry(Table view) {
        return new PathEntry(view.name(), view.path(), PathEntry.Kind.SYSTEM_VIEW, 0);
    }
}
