/// The catalog: which directories, tables and views exist, where the tablets of each table are, and
/// the users, groups and permissions. It is stored as rows of system tables in the system cell.
///
/// What always holds:
///
/// - All rows are read at start and kept as an immutable [io.cleave.catalog.CatalogView]. A reader
///   that takes the view sees one state of the whole catalog.
/// - A list of changes is one commit of the system cell: all of them become durable and then
///   visible, or none.
/// - Whether a change is allowed is decided above, in `tree` and `cluster`. They hold a lock, so
///   that changes are made one at a time.
///
/// Begin with [io.cleave.catalog.Catalog], the only entry point. `SystemTables` describes the rows.
/// `Sequences` and `IndexPositions` keep positions that change too often to be part of the view.
@NullMarked
package io.cleave.catalog;

import org.jspecify.annotations.NullMarked;
