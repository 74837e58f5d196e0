package io.cleave.tree;

import io.cleave.base.Env;
import io.cleave.base.Status;
import io.cleave.base.StatusException;
import io.cleave.catalog.Catalog;
import io.cleave.catalog.CatalogChange;
import io.cleave.catalog.CatalogChange.PutNode;
import io.cleave.catalog.CatalogView;
import io.cleave.catalog.CatalogView.Node;
import io.cleave.catalog.PathErrors;
import io.cleave.cluster.TableLocks.LockedTables;
import io.cleave.cluster.TableLocks.Purpose;
import io.cleave.cluster.TabletMap;
import io.cleave.cluster.Tablets;
import io.cleave.schema.Column;
import io.cleave.schema.Index;
import io.cleave.schema.IndexRules;
import io.cleave.schema.KeyRange;
import io.cleave.schema.SchemeChange.Copy;
import io.cleave.schema.Sequence;
import io.cleave.schema.Table;
import io.cleave.schema.TableAlteration;
import io.cleave.tablet.Route;
import io.cleave.tablet.TabletCopies;
import io.cleave.tablet.record.TabletSpec;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/// Copies tables without copying rows: the new tablets share the files of the source tablets. All
/// copies of one call are made at one timestamp.
///
/// The tablets are created before the catalog names them. A crash in between leaves tablets that
/// belong to no table; the next start removes them.
///
/// SYNC and UNIQUE indexes are copied with their tables. An ASYNC index may be behind its table at
/// that timestamp, so it is built anew for the copy.
record TableCopies(Tablets tablets, NewPaths newPaths, Env env) {
    static final int MAX_COPIES = 10_000;

    /// Returns the index tables of the copies that are to be built.
    List<Table> run(List<Copy> wanted) {
        if (wanted.isEmpty()) {
            throw new StatusException(Status.BAD_REQUEST, "No tables to copy");
        }
        if (wanted.size() > MAX_COPIES) {
            throw new StatusException(
                    Status.BAD_REQUEST,
                    "Too many tables to copy: %d, at most %d".formatted(wanted.size(), MAX_COPIES));
        }
        List<Table> toBuild = new ArrayList<>();
        boolean done = false;
        while (!done) {
            Set<Long> sources = sources(wanted);
            try (LockedTables _ = tablets.held().take(sources, Purpose.CHANGE)) {
                // The paths may lead to other tables by now.
                done = sources.equals(sources(wanted));
                if (done) {
                    copy(wanted, toBuild);
                }
            }
        }
        return toBuild;
    }

    private Set<Long> sources(List<Copy> wanted) {
        CatalogView view = catalog().view();
        Set<Long> ids = new HashSet<>();
        for (Copy copy : wanted) {
            Table source = source(view, copy.from());
            ids.addAll(copy.omitIndexes() ? Set.of(source.id()) : view.idsWithIndexes(source));
        }
        return ids;
    }

    private static Table source(CatalogView view, String path) {
        Table table =
                PathErrors.tableAt(view.find(path).orElseThrow(() -> PathErrors.missing(path)));
        Alterations.refuseIndexTable(table);
        return table;
    }

    private void copy(List<Copy> wanted, List<Table> toBuild) {
        var all = new Drafts();
        tablets.held()
                .changing(
                        () -> {
                            refuseTaken(wanted);
                            wanted.forEach(copy -> draft(copy, all));
                            return true;
                        });
        Map<Table, TabletMap> made = new LinkedHashMap<>();
        try {
            List<Route> routes = TabletCopies.run(List.copyOf(all.tablets), env);
            Map<Long, List<Route>> byTable =
                    routes.stream()
                            .collect(Collectors.groupingBy(route -> route.statistics().tableId()));
            all.copied.forEach(
                    (table, source) -> {
                        TabletMap map = TabletMap.of(byTable.getOrDefault(table.id(), List.of()));
                        made.put(table, map.wholeFrom(wholeFrom(source)));
                    });
            tablets.held()
                    .changing(
                            () -> {
                                List<CatalogChange> changes = refuseTaken(wanted);
                                changes.addAll(all.changes);
                                // After the rows were copied: a number given until then may be in a
                                // copied
                                // row.
                                all.sequences.forEach(
                                        (id, sequence) ->
                                                changes.add(
                                                        catalog().sequences().copy(sequence, id)));
                                tablets.newTablets().publishWith(made, all.empty, changes);
                                return true;
                            });
        } catch (StatusException e) {
            // The catalog may already name these tablets.
            if (e.status() != Status.UNDETERMINED) {
                tablets.newTablets().drop(all.copied.keySet());
            }
            throw e;
        }
        toBuild.addAll(all.empty.keySet());
    }

    private Catalog catalog() {
        return tablets.held().catalog();
    }

    /// The copy is incomplete before the same timestamp as its source.
    private long wholeFrom(Table source) {
        long from = tablets.map(source).wholeFrom();
        if (from == TabletMap.UNSETTLED) {
            // The copy would never be settled.
            throw new StatusException(
                    Status.ABORTED, "Table '%s' is being truncated".formatted(source.path()));
        }
        return from;
    }

    /// The tables and tablets to be created.
    private static final class Drafts {
        /// Copies with rows, and the source of each.
        final Map<Table, Table> copied = new LinkedHashMap<>();

        final List<TabletCopies.Copy> tablets = new ArrayList<>();

        /// Index tables of indexes that are to be built.
        final Map<Table, List<KeyRange>> empty = new LinkedHashMap<>();

        final List<CatalogChange> changes = new ArrayList<>();

        /// The sequences of the sources, by the id of the copy, which continues at the same number.
        final Map<Long, Sequence> sequences = new LinkedHashMap<>();
    }

    /// Throws if a path is taken; returns the changes that create missing parent directories.
    private List<CatalogChange> refuseTaken(List<Copy> wanted) {
        CatalogView view = catalog().view();
        List<CatalogChange> all = new ArrayList<>();
        for (Copy copy : wanted) {
            if (view.find(copy.to()).isPresent()) {
                throw PathErrors.problem(copy.to(), "path exist, request doesn't accept it");
            }
            List<Table> taking = taking(copy);
            List<CatalogChange> step = newPaths.parents(view, copy.to(), taking.size());
            all.addAll(step);
            // Two copies cannot have the same path, and none can be below another.
            taking.forEach(table -> step.add(new PutNode(Node.of(table))));
            view = view.with(step);
        }
        return all;
    }

    /// A table for each path that a copy will take.
    private List<Table> taking(Copy copy) {
        CatalogView view = catalog().view();
        Table source = source(view, copy.from());
        List<Table> taking = new ArrayList<>();
        taking.add(source.movedTo(copy.to()));
        if (!copy.omitIndexes()) {
            view.indexTables(source)
                    .forEach(
                            (name, table) ->
                                    taking.add(table.movedTo(Index.path(copy.to(), name))));
        }
        return taking;
    }

    private void draft(Copy copy, Drafts all) {
        CatalogView view = catalog().view();
        Table source = source(view, copy.from());
        TableAlteration.refuseSettingNotNull(source);
        long now = env.wallMicros();
        List<Index> indexes = new ArrayList<>();
        for (Index index : copy.omitIndexes() ? List.<Index>of() : source.indexes()) {
            if (!index.isReady()) {
                throw new StatusException(
                        Status.OVERLOADED,
                        "Check failed: path: '%s', error: path is under operation: index '%s' is being built"
                                .formatted(source.path(), index.name()));
            }
            indexes.add(
                    index.kind() == Index.Kind.ASYNC ? index.with(Index.State.BUILDING) : index);
        }
        Table plain =
                source.copy(catalog().newId(), copy.to(), indexes, now)
                        .copiedStates(copy.unmounted());
        Table table = SerialColumns.renumbered(plain, catalog()::newId);
        addSequences(source, table, all);
        add(source, table, all);
        Map<String, Table> indexTables = view.indexTables(source);
        for (Index index : indexes) {
            Table old = indexTables.get(index.name());
            if (old != null) {
                addIndex(old, table, index, all);
            }
        }
    }

    private void addIndex(Table old, Table table, Index index, Drafts all) {
        Paths.check(newPaths.database(), Index.path(table.path(), index.name()));
        Table fresh =
                TableAlteration.withOptions(
                        IndexRules.table(table, index, catalog().newId(), env.wallMicros()),
                        old.options());
        if (index.isReady()) {
            add(old, fresh, all);
        } else {
            tablets.cells().awaitLoad(fresh.id());
            all.empty.put(fresh, List.of(KeyRange.ALL));
            all.changes.add(new PutNode(Node.of(fresh)));
        }
    }

    private void add(Table source, Table table, Drafts all) {
        for (Route route : tablets.map(source).routes()) {
            var spec =
                    new TabletSpec(
                            catalog().newId(),
                            table.id(),
                            route.range(),
                            route.statistics().settings());
            all.tablets.add(new TabletCopies.Copy(route, spec));
        }
        all.copied.put(table, source);
        all.changes.add(new PutNode(Node.of(table)));
    }

    private static void addSequences(Table source, Table table, Drafts all) {
        for (int index = 0; index < source.columns().size(); index++) {
            Column to = table.columns().get(index);
            Column from = source.columns().get(index);
            if (from.sequence().isPresent()) {
                long toId = to.sequence().map(Sequence::id).orElseThrow();
                all.sequences.put(toId, from.sequence().get());
            }
        }
    }
}
