/// The stored form of a table's rows. A row travels to a cell, and lies in its log and files, as
/// bytes; this package makes these bytes from values, and values from them.
///
/// [io.cleave.codec.RowCodec] encodes the writes of one version of a table.
/// [io.cleave.codec.RowReader] is what a read names: the columns that it needs, and how stored
/// fields become values.
///
/// What always holds: the form depends only on the table's schema, never on the cell or the tablet
/// that holds the row. So a transaction encodes a write once, wherever its tablet is now. All
/// objects are immutable; any thread may use them.
///
/// Begin with [io.cleave.codec.RowCodec].
@NullMarked
package io.cleave.codec;

import org.jspecify.annotations.NullMarked;
