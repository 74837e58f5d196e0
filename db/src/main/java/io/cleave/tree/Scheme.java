package io.cleave.tree;

import io.cleave.cluster.CellInfo;
import io.cleave.cluster.Media;
import io.cleave.cluster.Replicas;
import io.cleave.cluster.TabletInfo;
import io.cleave.schema.Access;
import io.cleave.schema.Column;
import io.cleave.schema.ReplicaInfo;
import io.cleave.schema.SchemeChange;
import io.cleave.schema.Table;
import io.cleave.schema.TableChange;
import io.cleave.schema.TableDefinition;
import io.cleave.schema.Tables;

import java.util.List;
import java.util.OptionalLong;

/// The tree of directories and tables, and every change to it. Paths are absolute and begin with
/// the database. A change that is refused throws a `StatusException` with YDB's status and text.
///
/// Threads: any. A change is durable and seen by every later call when its method returns.
public interface Scheme extends Tables {
    /// The name for users of the medium that always exists.
    String DEFAULT_MEDIUM = Media.DEFAULT;

    /// The path of the database, `/local`.
    String database();

    /// A number that changes with every change to a table or view.
    long changes();

    /// The cells that tables may be in, by id.
    List<CellInfo> cellInfos();

    /// The read replicas, by cell.
    List<ReplicaInfo> replicaInfos();

    /// The table's tablets in the read replicas.
    List<Replicas.Copy> replicaCopies(Table table);

    /// The media that a column family may be stored on, [#DEFAULT_MEDIUM] first.
    List<String> media();

    /// Creates the table with its tablets and missing parent directories. Returns false if
    /// `ifNotExists` is set and something is there already.
    boolean createTable(TableDefinition definition, boolean ifNotExists);

    /// Returns false if `ifExists` is set and nothing is there.
    boolean dropTable(String path, boolean ifExists);

    void alterTable(String path, List<TableChange> changes);

    /// Truncation, copies, views, sequences, users and permissions. Returns false if there was
    /// nothing to do and the change allows that.
    boolean change(SchemeChange change);

    /// Users, groups and their permissions.
    Access access();

    /// Creates a table that stays invisible until `show`; a crash before that removes it.
    Table createHidden(TableDefinition definition);

    /// Creates a copy of a table, without its indexes, that stays invisible until it is moved; a
    /// crash before that removes it.
    Table copyHidden(String path);

    /// Replaces a table without rows and without indexes by one with another definition, at the
    /// same path. The caller makes sure that nobody writes to the table meanwhile.
    void replaceEmpty(String path, TableDefinition definition);

    /// Whether the path is in the directory of hidden tables.
    default boolean isHidden(String path) {
        return path.startsWith(database() + HiddenTables.DIRECTORY);
    }

    /// Moves a hidden table to its visible path.
    void show(Table hidden, String path);

    record Renaming(String from, String to, boolean replace) {}

    /// Renames all of them or none.
    void renameTables(List<Renaming> renamings);

    /// Creates the directory and its missing parents. Returns false if it already existed.
    boolean makeDirectory(String path);

    void removeDirectory(String path);

    /// The entry at a path, including the database and `/`; throws SCHEME_ERROR if there is none.
    PathEntry describe(String path);

    /// The entries directly below a directory, by name.
    List<PathEntry> list(String path);

    /// The table's tablets in key order.
    List<TabletInfo> tablets(Table table);

    /// The next number of a column's sequence; empty if the sequence is exhausted.
    OptionalLong upcomingNumber(Column column);
}
