package io.cleave.tree;

import io.cleave.base.Bytes;
import io.cleave.base.Status;
import io.cleave.base.StatusException;
import io.cleave.catalog.CatalogChange;
import io.cleave.catalog.CatalogChange.PutAcl;
import io.cleave.catalog.CatalogChange.PutCypress;
import io.cleave.catalog.CatalogChange.PutNode;
import io.cleave.catalog.CatalogChange.RemoveCypress;
import io.cleave.catalog.CatalogChange.RemoveNode;
import io.cleave.catalog.CatalogChange.RemoveTablets;
import io.cleave.catalog.CatalogView;
import io.cleave.catalog.CatalogView.Node;
import io.cleave.catalog.CypressNode;
import io.cleave.cluster.Bundles;
import io.cleave.schema.Index;
import io.cleave.schema.ObjectId;
import io.cleave.schema.Table;
import io.cleave.schema.TableAlteration;
import io.cleave.schema.TableChange;
import io.cleave.value.YsonNode;
import io.cleave.value.YsonWriter;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Optional;
import java.util.SequencedMap;
import java.util.function.Function;

/// A change of the tree by a client of YTsaurus. It is kept until its transaction commits, and then
/// made in the tree as it is at that time. Each change says how the tree must be for that.
public sealed interface CypressChange {
    /// The changes of the catalog. Throws ABORTED if the tree is no longer as the change expects.
    List<CatalogChange> steps(CatalogView view, String database);

    /// Creates a directory. Its parent is there, or is the database.
    record MakeDirectory(String path, long createdMicros) implements CypressChange {
        @Override
        public List<CatalogChange> steps(CatalogView view, String database) {
            require(view.find(path).isEmpty() && !isOwn(view, path), path);
            requireParent(view, database, path);
            return List.of(new PutNode(Node.directory(path, createdMicros)));
        }
    }

    /// Removes an empty directory.
    record RemoveDirectory(String path) implements CypressChange {
        @Override
        public List<CatalogChange> steps(CatalogView view, String database) {
            require(view.find(path).filter(Node::isDirectory).isPresent(), path);
            require(
                    view.children(path).isEmpty()
                            && view.cypressChildren(path).stream().noneMatch(CypressNode::isOwn),
                    path);
            return List.of(new RemoveNode(path));
        }
    }

    /// Removes a table with its index tables.
    record RemoveTable(String path, long tableId) implements CypressChange {
        @Override
        public List<CatalogChange> steps(CatalogView view, String database) {
            Table table = table(view, path, tableId);
            List<CatalogChange> steps = new ArrayList<>();
            List<Table> gone = new ArrayList<>(view.indexTables(table).values());
            gone.add(table);
            for (Table each : gone) {
                steps.add(new RemoveNode(each.path()));
                steps.add(new RemoveTablets(each.id()));
            }
            return steps;
        }
    }

    /// Changes a setting of a table. `alteration` decides from the table as it is then, and throws
    /// ABORTED if the setting cannot be changed any more.
    ///
    /// @param nodeId the id of the table's node. The table may get another id: it does when another
    ///   client replaces its schema while it is empty.
    /// @param value what the client has set; empty if it has removed the setting
    record AlterTable(
            ObjectId nodeId,
            String name,
            Optional<YsonNode> value,
            Function<Table, List<TableChange>> alteration)
            implements CypressChange {
        @Override
        public List<CatalogChange> steps(CatalogView view, String database) {
            Table table =
                    table(view)
                            .orElseThrow(
                                    () ->
                                            new StatusException(
                                                    Status.ABORTED,
                                                    "The table whose attribute '%s' was changed was removed by another client meanwhile; retry"
                                                            .formatted(name)));
            List<TableChange> wanted = alteration.apply(table);
            if (wanted.isEmpty()) {
                return List.of();
            }
            Table altered = TableAlteration.apply(table, wanted);
            var _ = Bundles.cells(view, altered);
            var ofIndexes =
                    new IndexChanges(
                            view,
                            table,
                            altered,
                            wanted,
                            () -> {
                                throw new IllegalStateException("a setting adds no index");
                            },
                            0);
            List<CatalogChange> steps = new ArrayList<>(ofIndexes.changes());
            steps.add(new PutNode(Node.of(altered)));
            return steps;
        }

        /// The table, where it is now; empty if it is gone.
        Optional<Table> table(CatalogView view) {
            return view.path(nodeId).flatMap(view::find).flatMap(Node::table);
        }
    }

    record RemoveView(String path) implements CypressChange {
        @Override
        public List<CatalogChange> steps(CatalogView view, String database) {
            require(view.find(path).flatMap(Node::view).isPresent(), path);
            return List.of(new RemoveNode(path));
        }
    }

    /// Moves a table with its index tables and its row. A new table comes from the directory of
    /// hidden tables.
    record MoveTable(long tableId, String from, String to) implements CypressChange {
        @Override
        public List<CatalogChange> steps(CatalogView view, String database) {
            Table table = table(view, from, tableId);
            require(view.find(to).isEmpty() && !isOwn(view, to), to);
            requireParent(view, database, to);
            List<CatalogChange> steps = new ArrayList<>();
            steps.add(new RemoveNode(from));
            steps.add(new PutNode(Node.of(table.movedTo(to))));
            view.indexTables(table)
                    .forEach(
                            (name, indexTable) -> {
                                String indexTo = Index.path(to, name);
                                steps.add(new RemoveNode(indexTable.path()));
                                steps.add(new PutNode(Node.of(indexTable.movedTo(indexTo))));
                            });
            steps.add(new PutAcl(to, view.access().acl(from)));
            view.cypress(from).ifPresent(row -> steps.add(new PutCypress(row.at(to))));
            return steps;
        }
    }

    /// Copies the permissions that were granted through YDB.
    record CopyAcl(String from, String to) implements CypressChange {
        @Override
        public List<CatalogChange> steps(CatalogView view, String database) {
            return List.of(new PutAcl(to, view.access().acl(from)));
        }
    }

    /// Puts a row: that of a new node, or of a node that was moved.
    record PutRow(CypressNode row) implements CypressChange {
        @Override
        public List<CatalogChange> steps(CatalogView view, String database) {
            if (row.isOwn()) {
                require(view.find(row.path()).isEmpty(), row.path());
                requireParent(view, database, row.path());
            } else {
                requireThere(view, database, row);
            }
            return List.of(new PutCypress(row));
        }
    }

    record RemoveRow(String path) implements CypressChange {
        @Override
        public List<CatalogChange> steps(CatalogView view, String database) {
            return List.of(new RemoveCypress(path));
        }
    }

    /// Replaces the value of a document or of a scalar node.
    record PutValue(String path, Bytes value, long micros, long revision) implements CypressChange {
        @Override
        public List<CatalogChange> steps(CatalogView view, String database) {
            Optional<CypressNode> row = view.cypress(path).filter(CypressNode::isOwn);
            require(row.isPresent(), path);
            return List.of(new PutCypress(row.get().withValue(value, micros, revision)));
        }
    }

    /// Notes that a child was added or removed. `absent` is the row if there is none yet.
    record Touch(CypressNode absent, long micros, long revision) implements CypressChange {
        @Override
        public List<CatalogChange> steps(CatalogView view, String database) {
            requireThere(view, database, absent);
            CypressNode row = view.cypress(absent.path()).orElse(absent);
            return List.of(new PutCypress(row.touched(micros, revision)));
        }
    }

    record PutOwner(CypressNode absent, String owner) implements CypressChange {
        @Override
        public List<CatalogChange> steps(CatalogView view, String database) {
            requireThere(view, database, absent);
            CypressNode row = view.cypress(absent.path()).orElse(absent);
            return List.of(new PutCypress(row.withOwner(owner)));
        }
    }

    /// Sets or removes one stored attribute. `absent` is the row if there is none yet.
    record PutAttribute(
            CypressNode absent, String name, Optional<YsonNode> value, long micros, long revision)
            implements CypressChange {
        @Override
        public List<CatalogChange> steps(CatalogView view, String database) {
            requireThere(view, database, absent);
            CypressNode row = view.cypress(absent.path()).orElse(absent);
            SequencedMap<Bytes, YsonNode> members = new LinkedHashMap<>(attributes(row).members());
            value.ifPresentOrElse(
                    put -> members.put(Bytes.utf8(name), put),
                    () -> members.remove(Bytes.utf8(name)));
            Bytes encoded =
                    members.isEmpty()
                            ? Bytes.EMPTY
                            : YsonWriter.write(
                                    new YsonNode.Members(members), YsonWriter.Format.BINARY);
            return List.of(new PutCypress(row.withAttributes(encoded, micros, revision)));
        }
    }

    /// The stored attributes of a row.
    static YsonNode.Members attributes(CypressNode row) {
        return row.attributes().isEmpty()
                ? YsonNode.Members.EMPTY
                : (YsonNode.Members) YsonNode.parse(row.attributes()).orElseThrow();
    }

    private static Table table(CatalogView view, String path, long tableId) {
        Optional<Table> table =
                view.find(path).flatMap(Node::table).filter(found -> found.id() == tableId);
        require(table.isPresent(), path);
        return table.get();
    }

    private static boolean isOwn(CatalogView view, String path) {
        return view.cypress(path).filter(CypressNode::isOwn).isPresent();
    }

    private static void requireParent(CatalogView view, String database, String path) {
        String parent = path.substring(0, path.lastIndexOf('/'));
        require(
                StandardDirectories.contains(database, parent)
                        || parent.equals(BalancerConfig.directory(database))
                        || view.find(parent).filter(Node::isDirectory).isPresent(),
                parent);
    }

    /// The node that the row belongs to must be there. Objects in `sys` are always there.
    private static void requireThere(CatalogView view, String database, CypressNode row) {
        require(
                view.find(row.path()).isPresent()
                        || isOwn(view, row.path())
                        || StandardDirectories.contains(database, row.path())
                        || row.path().startsWith(database + "/sys/"),
                row.path());
    }

    private static void require(boolean holds, String path) {
        if (!holds) {
            throw new StatusException(
                    Status.ABORTED,
                    "Path '%s' was changed by another client meanwhile; retry".formatted(path));
        }
    }
}
