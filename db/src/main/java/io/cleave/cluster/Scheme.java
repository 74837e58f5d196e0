package io.cleave.cluster;

import io.cleave.schema.Access;
import io.cleave.schema.Column;
import io.cleave.schema.SchemeChange;
import io.cleave.schema.Table;
import io.cleave.schema.TableChange;
import io.cleave.schema.TableDefinition;
import io.cleave.schema.Tables;

import java.util.List;
import java.util.OptionalLong;

/// The tree of directories and tables, and every change of it. Paths are absolute and begin with
/// the database. What cannot be done ends in a `StatusException` with YDB's status and text.
///
/// Threads: any. A change is durable and seen by every later call when its method returns.
public interface Scheme extends Tables {
    /// What users call the medium that is always there.
    String DEFAULT_MEDIUM = "ssd";

    /// The path of the database, `/local`.
    String database();

    /// As long as it is the same number, every table and view is what it was.
    long changes();

    /// The read replicas there are, by cell.
    default List<Replicas.Info> replicaInfos() {
        return List.of();
    }

    /// The table's tablets as read replicas have them.
    default List<Replicas.Copy> replicaCopies(Table table) {
        return List.of();
    }

    /// The media that a column family may lie on, [#DEFAULT_MEDIUM] first.
    List<String> media();

    /// Makes the table with its tablets and the directories above it. False when `ifNotExists` and
    /// something stands there already.
    boolean createTable(TableDefinition definition, boolean ifNotExists);

    /// False when `ifExists` and nothing stands there.
    boolean dropTable(String path, boolean ifExists);

    void alterTable(String path, List<TableChange> changes);

    /// Truncation, views, sequences, users and permissions. False when there was nothing to do and
    /// the change says that this is no mistake.
    boolean change(SchemeChange change);

    /// Users, groups, and what was granted to them.
    Access access();

    /// Makes a table that nobody sees until it is shown; after a crash it is gone.
    Table createHidden(TableDefinition definition);

    /// Whether the path is where hidden tables stand.
    default boolean isHidden(String path) {
        return path.startsWith(database() + HiddenTables.DIRECTORY);
    }

    /// Brings a hidden table to its path.
    void show(Table hidden, String path);

    record Renaming(String from, String to, boolean replace) {}

    /// All of them or none.
    void renameTables(List<Renaming> renamings);

    /// Makes the directory and those above it; false when it was there.
    boolean makeDirectory(String path);

    void removeDirectory(String path);

    /// What stands at a path, the database and `/` included; SCHEME_ERROR when nothing does.
    PathEntry describe(String path);

    /// What stands right below a directory, by name.
    List<PathEntry> list(String path);

    /// The table's tablets in key order.
    List<TabletInfo> tablets(Table table);

    /// The number that a column's sequence gives next; none when it has no more.
    OptionalLong upcomingNumber(Column column);
}
