/// Which directories and tables exist and where their tablets are, kept as rows of system tables in
/// the system cell.
///
/// [io.cleave.catalog.Catalog] is the one door: it reads all rows at start, keeps them as an
/// immutable [io.cleave.catalog.CatalogView], and turns a change into one commit of the system
/// cell. What a change may be is decided above, in `cluster`.
@NullMarked
package io.cleave.catalog;

import org.jspecify.annotations.NullMarked;
