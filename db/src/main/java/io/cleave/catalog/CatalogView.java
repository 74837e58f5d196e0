package io.cleave.catalog;

import io.cleave.base.PersistentMap;
import io.cleave.schema.Access;
import io.cleave.schema.CellStage;
import io.cleave.schema.Index;
import io.cleave.schema.ObjectId;
import io.cleave.schema.ObjectType;
import io.cleave.schema.Table;
import io.cleave.schema.View;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;

/// A snapshot of the whole catalog. Immutable; [#with] makes the next one.
public final class CatalogView {
    static final CatalogView EMPTY =
            new CatalogView(
                    PersistentMap.empty(),
                    Cypress.EMPTY,
                    Map.of(),
                    Collections.emptySortedMap(),
                    UserCells.NONE,
                    Access.NOBODY);

    /// By absolute path.
    private final PersistentMap<String, Node> nodes;

    private final Cypress cypress;

    /// By table id; the tablets of a table in key order.
    private final Map<Long, List<TabletPlace>> tablets;

    /// The cells of each bundle, by bundle name.
    private final SortedMap<String, List<Long>> bundles;

    private final UserCells cells;

    private final Access access;

    private CatalogView(
            PersistentMap<String, Node> nodes,
            Cypress cypress,
            Map<Long, List<TabletPlace>> tablets,
            SortedMap<String, List<Long>> bundles,
            UserCells cells,
            Access access) {
        this.nodes = nodes;
        this.cypress = cypress;
        this.tablets = tablets;
        this.bundles = bundles;
        this.cells = cells;
        this.access = access;
    }

    /// The user cells.
    ///
    /// @param nextId no cell has had this id or a greater one; 0 if no cell was ever recorded
    private record UserCells(SortedMap<Long, CellStage> stages, long nextId) {
        static final UserCells NONE = new UserCells(Collections.emptySortedMap(), 0);

        UserCells with(long cellId, CellStage stage) {
            var changed = new TreeMap<>(stages);
            changed.put(cellId, stage);
            return new UserCells(changed, Math.max(nextId, cellId + 1));
        }

        UserCells without(long cellId) {
            var changed = new TreeMap<>(stages);
            changed.remove(cellId);
            return new UserCells(changed, nextId);
        }
    }

    /// What YTsaurus' tree knows.
    ///
    /// @param rows by absolute path
    /// @param ids the paths of all nodes and rows, by id
    /// @param bytes the size of all values and attributes
    private record Cypress(
            PersistentMap<String, CypressNode> rows,
            PersistentMap<ObjectId, String> ids,
            long bytes) {
        static final Cypress EMPTY = new Cypress(PersistentMap.empty(), PersistentMap.empty(), 0);

        Cypress with(CypressNode node) {
            long replaced = rows.find(node.path()).map(CypressNode::bytes).orElse(0L);
            return new Cypress(rows.with(node.path(), node), ids, bytes - replaced + node.bytes());
        }

        Cypress without(String path) {
            long removed = rows.find(path).map(CypressNode::bytes).orElse(0L);
            return new Cypress(rows.without(path), ids, bytes - removed);
        }
    }

    /// A directory, or a table or a view with its description.
    public record Node(
            String path, long createdMicros, Optional<Table> table, Optional<View> view) {
        public static Node directory(String path, long createdMicros) {
            return new Node(path, createdMicros, Optional.empty(), Optional.empty());
        }

        public static Node of(Table table) {
            return new Node(
                    table.path(), table.createdMicros(), Optional.of(table), Optional.empty());
        }

        public static Node of(View view) {
            return new Node(view.path(), view.createdMicros(), Optional.empty(), Optional.of(view));
        }

        public boolean isDirectory() {
            return table.isEmpty() && view.isEmpty();
        }

        public String name() {
            return path.substring(path.lastIndexOf('/') + 1);
        }
    }

    public Optional<Node> find(String path) {
        return nodes.find(path);
    }

    public int nodeCount() {
        return nodes.size();
    }

    public List<Table> tables() {
        List<Table> tables = new ArrayList<>();
        nodes.forEach((_, node) -> node.table().ifPresent(tables::add));
        return tables;
    }

    /// The index tables of a table, by index name.
    public Map<String, Table> indexTables(Table table) {
        Map<String, Table> tables = new LinkedHashMap<>();
        for (Index index : table.indexes()) {
            find(Index.path(table.path(), index.name()))
                    .flatMap(Node::table)
                    .ifPresent(found -> tables.put(index.name(), found));
        }
        return tables;
    }

    /// The ids of a table and of its index tables.
    public Set<Long> idsWithIndexes(Table table) {
        Set<Long> ids = new HashSet<>();
        ids.add(table.id());
        indexTables(table).values().forEach(indexTable -> ids.add(indexTable.id()));
        return ids;
    }

    /// The ids of the sequences of the tables at these paths.
    Set<Long> sequences(Set<String> paths) {
        Set<Long> ids = new HashSet<>();
        for (String path : paths) {
            find(path).flatMap(Node::table).stream()
                    .flatMap(table -> table.columns().stream())
                    .flatMap(column -> column.sequence().stream())
                    .forEach(sequence -> ids.add(sequence.id()));
        }
        return ids;
    }

    /// The nodes directly below a directory, by name.
    public List<Node> children(String directory) {
        return children(nodes, directory);
    }

    /// The entries directly below a directory. What is further below is skipped, not walked.
    private static <V> List<V> children(PersistentMap<String, V> entries, String directory) {
        String prefix = directory + "/";
        List<V> children = new ArrayList<>();
        PersistentMap.Cursor<String, V> cursor = entries.cursor(prefix);
        while (cursor.isValid() && cursor.key().startsWith(prefix)) {
            int slash = cursor.key().indexOf('/', prefix.length());
            if (slash < 0) {
                children.add(cursor.value());
                cursor.next();
            } else {
                // '0' is the character after '/', so this is the first key that is not below.
                cursor.seek(cursor.key().substring(0, slash) + "0");
            }
        }
        return children;
    }

    /// What YTsaurus' tree knows of a path.
    public Optional<CypressNode> cypress(String path) {
        return cypress.rows().find(path);
    }

    /// What YTsaurus' tree knows of the paths directly below a directory, by name.
    public List<CypressNode> cypressChildren(String directory) {
        return children(cypress.rows(), directory);
    }

    public int cypressCount() {
        return cypress.rows().size();
    }

    /// The size of all values and attributes of YTsaurus' tree.
    public long cypressBytes() {
        return cypress.bytes();
    }

    /// The path of the node with this id.
    public Optional<String> path(ObjectId id) {
        return cypress.ids().find(id);
    }

    /// The id of what is at a path; empty if nothing is there.
    public Optional<ObjectId> id(String path) {
        return cypress(path).map(CypressNode::id).or(() -> find(path).map(CatalogView::idOf));
    }

    /// The id of a node that YTsaurus' tree knows nothing more of. It is the same after a restart.
    private static ObjectId idOf(Node node) {
        if (node.table().isPresent()) {
            return ObjectId.of(ObjectType.TABLE, node.table().get().id());
        }
        if (node.view().isPresent()) {
            return ObjectId.of(ObjectType.VIEW, node.view().get().id());
        }
        // Several directories may be created within one microsecond.
        return ObjectId.of(ObjectType.MAP_NODE, node.createdMicros(), node.path().hashCode());
    }

    /// The table's tablets in key order; none if there is no such table.
    public List<TabletPlace> tablets(long tableId) {
        return tablets.getOrDefault(tableId, List.of());
    }

    public Map<Long, List<TabletPlace>> tablets() {
        return tablets;
    }

    /// The cells of each bundle, by bundle name.
    public SortedMap<String, List<Long>> bundles() {
        return Collections.unmodifiableSortedMap(bundles);
    }

    /// The stages of the user cells, by id. None if the catalog is one of an earlier version, which
    /// recorded no cells.
    public SortedMap<Long, CellStage> cells() {
        return Collections.unmodifiableSortedMap(cells.stages());
    }

    /// The id for the next cell: no cell has had this id or a greater one. 0 if no cell was ever
    /// recorded.
    public long nextCellId() {
        return cells.nextId();
    }

    /// Whether there was such a cell, and its log is gone or is not needed any more.
    public boolean isCellGone(long cellId) {
        CellStage stage = cells.stages().get(cellId);
        return stage == null
                ? cellId > 0 && cellId < cells.nextId()
                : stage == CellStage.DECOMMISSIONED;
    }

    CatalogView withNextCellId(long nextCellId) {
        var counted = new UserCells(cells.stages(), Math.max(cells.nextId(), nextCellId));
        return new CatalogView(nodes, cypress, tablets, bundles, counted, access);
    }

    /// Users, groups and their permissions.
    public Access access() {
        return access;
    }

    /// The catalog after these changes.
    public CatalogView with(List<CatalogChange> changes) {
        PersistentMap<String, Node> newNodes = nodes;
        Cypress newCypress = cypress;
        @Nullable Map<Long, List<TabletPlace>> newTablets = null;
        var newBundles = new TreeMap<>(bundles);
        UserCells newCells = cells;
        var newAccess = new ChangedAccess(access);
        Set<String> touched = new LinkedHashSet<>();
        for (CatalogChange change : changes) {
            switch (change) {
                case CatalogChange.PutNode(Node node) -> {
                    newNodes = newNodes.with(node.path(), node);
                    touched.add(node.path());
                }
                case CatalogChange.RemoveNode(String path) -> {
                    newNodes = newNodes.without(path);
                    newCypress = newCypress.without(path);
                    newAccess.remove(path);
                    touched.add(path);
                }
                case CatalogChange.PutCypress(CypressNode node) -> {
                    newCypress = newCypress.with(node);
                    touched.add(node.path());
                }
                case CatalogChange.RemoveCypress(String path) -> {
                    newCypress = newCypress.without(path);
                    touched.add(path);
                }
                case CatalogChange.PutTablets(long tableId, List<TabletPlace> places) -> {
                    newTablets = newTablets == null ? new HashMap<>(tablets) : newTablets;
                    newTablets.put(tableId, places);
                }
                case CatalogChange.RemoveTablets(long tableId) -> {
                    newTablets = newTablets == null ? new HashMap<>(tablets) : newTablets;
                    newTablets.remove(tableId);
                }
                case CatalogChange.AccessRow row -> newAccess.put(row);
                // Positions of sequences are not part of the view.
                case CatalogChange.PutSequence _ -> {}
                case CatalogChange.PutBundle(String name, List<Long> cellIds) -> {
                    if (cellIds.isEmpty()) {
                        newBundles.remove(name);
                    } else {
                        newBundles.put(name, cellIds);
                    }
                }
                case CatalogChange.PutCell(long cellId, CellStage stage) ->
                        newCells = newCells.with(cellId, stage);
                case CatalogChange.RemoveCell(long cellId) -> newCells = newCells.without(cellId);
            }
        }
        return new CatalogView(
                        newNodes,
                        newCypress,
                        newTablets == null ? tablets : Map.copyOf(newTablets),
                        newBundles,
                        newCells,
                        newAccess.done())
                .withIds(this, touched);
    }

    /// This view with the ids of these paths, which have changed since `before`.
    private CatalogView withIds(CatalogView before, Set<String> touched) {
        PersistentMap<ObjectId, String> ids = cypress.ids();
        // First all removals: a moved node has its id at another path now.
        for (String path : touched) {
            Optional<ObjectId> old = before.id(path);
            if (old.isPresent() && ids.find(old.get()).filter(path::equals).isPresent()) {
                ids = ids.without(old.get());
            }
        }
        for (String path : touched) {
            Optional<ObjectId> id = id(path);
            if (id.isPresent()) {
                ids = ids.with(id.get(), path);
            }
        }
        return new CatalogView(
                nodes,
                new Cypress(cypress.rows(), ids, cypress.bytes()),
                tablets,
                bundles,
                cells,
                access);
    }
}
