/// Commands of YTsaurus' API on the rows of sorted dynamic tables, and tablet transactions.
///
/// [RowCommands] lists the commands. A call maps the names of columns to columns of the table once
/// ([WireTable]); then rows go from the wire to the store, and back, without a map for each row.
///
/// What always holds: a key that is written here is the key that YQL would write. A user's mistake
/// is a `YtException` with YTsaurus' code and text.
///
/// Begin with [RowCommands].
@NullMarked
package io.cleave.yt.table.row;

import org.jspecify.annotations.NullMarked;
