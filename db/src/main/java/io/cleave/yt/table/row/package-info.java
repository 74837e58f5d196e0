/// Commands of YTsaurus' API on the rows of sorted dynamic tables, and tablet transactions.
///
/// [RowCommands] lists the commands. A call maps the names of columns to columns of the table once
/// ([WireTable]). After that, no row needs a map of names.
///
/// What always holds: a key that is written here has the same encoding as a key that YQL writes. A
/// user's mistake is a `YtException` with YTsaurus' code and text.
///
/// Begin with [RowCommands].
@NullMarked
package io.cleave.yt.table.row;

import org.jspecify.annotations.NullMarked;
