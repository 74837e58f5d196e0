/// The tree of directories, tables and views, and every DDL statement: create, alter, drop, copy,
/// rename and truncate tables; views, sequences, users and permissions.
///
/// A change of a table is one commit of the catalog. Tablets exist before the catalog names them,
/// and are removed after the catalog has dropped them; `cluster` creates and removes them. A
/// statement that is refused has changed nothing. What a crash interrupts is undone at the next
/// start (`InterruptedChanges`).
///
/// Work on rows is done by packages above, through the interfaces [io.cleave.tree.IndexBuilder] and
/// [io.cleave.tree.ColumnWork].
///
/// Begin with [io.cleave.tree.Scheme], the interface for other packages, and
/// [io.cleave.tree.SchemeTree], which implements it. [io.cleave.tree.Indexes] is for those who
/// build and follow indexes.
@NullMarked
package io.cleave.tree;

import org.jspecify.annotations.NullMarked;
