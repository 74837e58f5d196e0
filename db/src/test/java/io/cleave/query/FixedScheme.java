package io.cleave.query;

import io.cleave.cluster.PathEntry;
import io.cleave.cluster.Scheme;
import io.cleave.cluster.TabletInfo;
import io.cleave.schema.Access;
import io.cleave.schema.KeyRange;
import io.cleave.schema.SchemeChange;
import io.cleave.schema.Table;
import io.cleave.schema.TableChange;
import io.cleave.schema.TableDefinition;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/// `/local` with tables right below it and the tablets they were given.
final class FixedScheme implements Scheme {
    private final Map<Table, List<TabletInfo>> tables;

    FixedScheme(Map<Table, List<TabletInfo>> tables) {
        this.tables = tables;
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
        return tables.getOrDefault(table, List.of());
    }

    @Override
    public PathEntry describe(String path) {
        return path.equals("/local")
                ? new PathEntry("local", path, PathEntry.Kind.DATABASE, 0)
                : new PathEntry(find(path).orElseThrow().name(), path, PathEntry.Kind.TABLE, 0);
    }

    @Override
    public List<PathEntry> list(String path) {
        return tables.keySet().stream().map(t -> describe(t.path())).toList();
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
        throw new UnsupportedOperationException();
    }

    @Override
    public Table createHidden(TableDefinition definition) {
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
