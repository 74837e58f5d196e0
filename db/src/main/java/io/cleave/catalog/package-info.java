/// The catalog: which directories, tables and views exist, where the tablets of each table are, and
/// the users, groups and permissions. It is stored as rows of system tables in the system cell.
///
/// [io.cleave.catalog.Catalog] is the only entry point. It reads all rows at start, keeps them as
/// an immutable [io.cleave.catalog.CatalogView], and turns each list of changes into one commit of
/// the system cell. Whether a change is allowed is decided above, in `cluster`.
///
/// Begin with [io.cleave.catalog.Catalog]. `SystemTables` describes the rows. `Sequences` and
/// `IndexPositions` keep positions that change too often to be part of the view.
@NullMarked
package io.cleave.catalog;

import org.jspecify.annotations.NullMarked;
