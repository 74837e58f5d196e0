package io.cleave.yt.tree;

import io.cleave.access.Caller;
import io.cleave.schema.ObjectId;
import io.cleave.schema.Table;
import io.cleave.value.YsonNode;

import java.util.List;
import java.util.Optional;

/// What the tree asks about tables: how they are created and copied, and which attributes they have
/// beside those of every node. Implemented by the package of tables.
///
/// Threads: any. Calls may wait for commits. Errors are a `YtException`.
public interface TableNodes {
    /// Creates a table that nobody sees yet (`Scheme.createHidden`). The tree moves it to its path
    /// in the commit of the command or of its transaction, or drops it.
    ///
    /// @param path where the table will be, as an absolute path of the catalog
    /// @param attributes what the client sent: the schema, settings and user attributes
    Created create(Caller caller, String path, YsonNode.Members attributes);

    /// A new table, and those of the attributes that the tree is to store as the user's.
    record Created(Table table, YsonNode.Members userAttributes) {}

    /// Copies a table to a table that nobody sees yet (`Scheme.copyHidden`). Throws if the table
    /// cannot be copied now.
    Table copy(Caller caller, Table source);

    /// Drops a table that [#create] or [#copy] made and that was not moved to its path.
    void drop(Table hidden);

    /// Throws if the table cannot be moved now.
    void checkMove(Table table);

    /// A computed attribute.
    ///
    /// @param isOpaque whether it is shown as `#` among all attributes, because it is long
    record Attribute(String name, boolean isOpaque, boolean isWritable, boolean isRemovable) {}

    /// The attributes that the table has beside those of every node.
    List<Attribute> attributes(Table table);

    /// The value of one of these attributes; empty if the table has none at present.
    Optional<YsonNode> attribute(Table table, String name);

    /// Checks a change of a writable attribute, and returns what makes it: it is run at once, or
    /// after the commit of the transaction. The table may have been moved until then; if it is
    /// gone, nothing is changed.
    ///
    /// @param value empty if the attribute is removed
    Runnable change(Caller caller, Table table, String name, Optional<YsonNode> value);

    /// The tablets, for `//sys/tablets` and for paths such as `#id/@state`.
    Optional<SystemObject> tablet(ObjectId id);

    List<ObjectId> tablets();
}
