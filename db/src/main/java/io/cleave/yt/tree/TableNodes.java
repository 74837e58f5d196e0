package io.cleave.yt.tree;

import io.cleave.access.Caller;
import io.cleave.schema.ObjectId;
import io.cleave.schema.Table;
import io.cleave.schema.TableChange;
import io.cleave.value.YsonNode;

import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/// The operations on tables that the tree needs: it creates and copies tables, and shows the
/// attributes that only tables have. Implemented by the package of tables.
///
/// Threads: any. Calls may wait for commits. Errors are a `YtException`.
public interface TableNodes {
    /// Creates a hidden table (`Scheme.createHidden`), which no client can see. When the command or
    /// its transaction commits, the tree moves the table to its path. Otherwise the tree drops it.
    ///
    /// @param path where the table will be, as an absolute path of the catalog
    /// @param attributes what the client sent: the schema, settings and user attributes
    Created create(Caller caller, String path, YsonNode.Members attributes);

    /// A new table, and the attributes that the tree stores as user attributes.
    record Created(Table table, YsonNode.Members userAttributes) {}

    /// Copies a table to a hidden table (`Scheme.copyHidden`). Throws if the table cannot be copied
    /// now.
    Table copy(Caller caller, Table source);

    /// Drops a hidden table from [#create] or [#copy] that was not moved to its path.
    void drop(Table hidden);

    /// Throws if the table cannot be moved now.
    void checkMove(Table table);

    /// A computed attribute.
    ///
    /// @param isOpaque whether a list of all attributes shows it as `#`, because it is long
    record Attribute(String name, boolean isOpaque, boolean isWritable, boolean isRemovable) {}

    /// The attributes of this table, without the attributes that every node has.
    List<Attribute> attributes(Table table);

    /// The value of an attribute from [#attributes]; empty if the table has no value for it now.
    Optional<YsonNode> attribute(Table table, String name);

    /// Checks a change of a writable attribute, and returns a function with the changes of the
    /// table. The function is called again when the transaction commits, with the table as it is
    /// then. It throws ABORTED if the change is not possible any more.
    ///
    /// @param value empty if the attribute is removed
    Function<Table, List<TableChange>> change(Table table, String name, Optional<YsonNode> value);

    /// Finds a tablet, for `//sys/tablets` and for paths such as `#id/@state`.
    Optional<SystemObject> tablet(ObjectId id);

    /// The ids of all tablets.
    List<ObjectId> tabletIds();

    /// All tablets.
    List<SystemObject> tablets();

    /// The cells as they are now.
    CellNodes cells();

    /// The actions that change tablets.
    ActionNodes actions();
}
