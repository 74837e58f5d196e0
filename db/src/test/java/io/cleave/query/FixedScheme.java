package io.cleave.query;

import io.cleave.base.Status;
import io.cleave.base.StatusException;
import io.cleave.cluster.CellInfo;
import io.cleave.cluster.Replicas;
import io.cleave.cluster.TabletInfo;
import io.cleave.schema.Access;
import io.cleave.schema.Column;
import io.cleave.schema.KeyRange;
import io.cleave.schema.ReplicaInfo;
import io.cleave.schema.SchemeChange;
import io.cleave.schema.Table;
import io.cleave.schema.TableChange;
import io.cleave.schema.TableDefinition;
import io.cleave.tree.PathEntry;
import io.cleave.tree.Scheme;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;

/// `/local` with tables right below it and the tablets they were given.
final class FixedScheme implements Scheme {
    private final Map<Table, List<TabletInfo>> tables;

    /// Listed, and gone when someone looks closer.
    private final Set<String> vanished = new HashSet<>();

    FixedScheme(Map<Table, List<TabletInfo>> tables) {
        this.tables = tables;
    }

    /// Someone drops it after every listing.
    void vanish(Table table) {
        tables.put(table, List.of());
        vanished.add(table.path());
    }

    /// Someone removes it after every listing.
    void vanish(String directory) {
        vanished.add(directory);
    }

    private StatusException missing(String path) {
        return new StatusException(Status.SCHEME_ERROR, "Path does not exist: '" + path + "'");
    }

    @Override
    public String database() {
        return "/local";
    }

    @Override
    public long changes() {
        return 0;
    }

    @Override
    public List<String> media() {
        return List.of(DEFAULT_MEDIUM);
    }

    @Override
    public Optional<Table> find(String path) {
        return tables.keySet().stream().filter(t -> t.path().equals(path)).findFirst();
    }

    @Override
    public int tabletCount(Table table, KeyRange range) {
        return (int) tablets(table).stream().filter(t -> t.range().intersects(range)).count();
    }

    @Override
    public Set<Long> cells(Table table, KeyRange range) {
        return Set.of(1L);
    }

    @Override
    public List<TabletInfo> tablets(Table table) {
        if (vanished.contains(table.path())) {
            throw missing(table.path());
        }
        return tables.getOrDefault(table, List.of());
    }

    @Override
    public List<CellInfo> cellInfos() {
        return List.of(new CellInfo(1, "default", 3, 24));
    }

    @Override
    public List<ReplicaInfo> replicaInfos() {
        return List.of();
    }

    @Override
    public List<Replicas.Copy> replicaCopies(Table table) {
        return List.of();
    }

    @Override
    public OptionalLong upcomingNumber(Column column) {
        throw new UnsupportedOperationException();
    }

    @Override
    public PathEntry describe(String path) {
        return path.equals("/local")
                ? new PathEntry("local", path, PathEntry.Kind.DATABASE, 0)
                : new PathEntry(find(path).orElseThrow().name(), path, PathEntry.Kind.TABLE, 0);
    }

    @Override
    public List<PathEntry> list(String path) {
        if (vanished.contains(path)) {
            throw missing(path);
        }
        List<PathEntry> entries = new ArrayList<>();
        tables.keySet().forEach(table -> entries.add(describe(table.path())));
        for (String gone : vanished) {
            if (find(gone).isEmpty()) {
                String name = gone.substring(gone.lastIndexOf('/') + 1);
                entries.add(new PathEntry(name, gone, PathEntry.Kind.DIRECTORY, 0));
            }
        }
        return entries;
    }

    @Override
    public boolean createTable(TableDefinition definition, boolean ifNotExists) {
        throw new UnsupportedOperationException();
    }

    @Override
    public boolean dropTable(String path, boolean ifExists) {
        throw new UnsupportedOperationException();
    }

    @Override
    public void alterTable(String path, List<TableChange> changes) {
        throw new UnsupportedOperationException();
    }

    @Override
    public boolean change(SchemeChange change) {
        throw new UnsupportedOperationException();
    }

    @Override
    public Access access() {
        return Access.NOBODY;
    }

    @Override
    public Table createHidden(TableDefinition definition) {
        throw new UnsupportedOperationException();
    }

    @Override
    public Table copyHidden(String path) {
        throw new UnsupportedOperationException();
    }

    @Override
    public void replaceEmpty(String path, TableDefinition definition) {
        throw new UnsupportedOperationException();
    }

    @Override
    public void show(Table hidden, String path) {
        throw new UnsupportedOperationException();
    }

    @Override
    public void renameTables(List<Renaming> renamings) {
        throw new UnsupportedOperationException();
    }

    @Override
    public boolean makeDirectory(String path) {
        throw new UnsupportedOperationException();
    }

    @Override
    public void removeDirectory(String path) {
        throw new UnsupportedOperationException();
    }
}
