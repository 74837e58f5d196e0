package io.cleave.catalog;

import io.cleave.schema.Access;
import io.cleave.schema.Index;
import io.cleave.schema.Table;
import io.cleave.schema.View;

import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;

/// A snapshot of the whole catalog. Immutable; [#with] makes the next one.
public final class CatalogView {
    static final CatalogView EMPTY =
            new CatalogView(new TreeMap<>(), Map.of(), Collections.emptySortedMap(), Access.NOBODY);

    /// By absolute path.
    private final NavigableMap<String, Node> nodes;

    /// By table id; the tablets of a table in key order.
    private final Map<Long, List<TabletPlace>> tablets;

    /// The cells of each bundle, by bundle name.
    private final SortedMap<String, List<Long>> bundles;

    private final Access access;

    private CatalogView(
            NavigableMap<String, Node> nodes,
            Map<Long, List<TabletPlace>> tablets,
            SortedMap<String, List<Long>> bundles,
            Access access) {
        this.nodes = nodes;
        this.tablets = tablets;
        this.bundles = bundles;
        this.access = access;
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
        return Optional.ofNullable(nodes.get(path));
    }

    public int nodeCount() {
        return nodes.size();
    }

    public List<Table> tables() {
        return nodes.values().stream().flatMap(node -> node.table().stream()).toList();
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
        // '0' is the character after '/', so the range contains everything below the directory.
        return nodes.subMap(directory + "/", true, directory + "0", false).values().stream()
                .filter(node -> node.path().lastIndexOf('/') == directory.length())
                .toList();
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

    /// Users, groups and their permissions.
    public Access access() {
        return access;
    }

    /// The catalog after these changes.
    public CatalogView with(List<CatalogChange> changes) {
        var newNodes = new TreeMap<>(nodes);
        var newTablets = new HashMap<>(tablets);
        var newBundles = new TreeMap<>(bundles);
        var newAccess = new ChangedAccess(access);
        for (CatalogChange change : changes) {
            switch (change) {
                case CatalogChange.PutNode(Node node) -> newNodes.put(node.path(), node);
                case CatalogChange.RemoveNode(String path) -> {
                    newNodes.remove(path);
                    newAccess.remove(path);
                }
                case CatalogChange.PutTablets(long tableId, List<TabletPlace> places) ->
                        newTablets.put(tableId, places);
                case CatalogChange.RemoveTablets(long tableId) -> newTablets.remove(tableId);
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
            }
        }
        return new CatalogView(newNodes, Map.copyOf(newTablets), newBundles, newAccess.done());
    }
}
