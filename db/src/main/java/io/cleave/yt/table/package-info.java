/// Tables as YTsaurus' API has them: schemas, states of tablets, pivot keys, attributes, and the
/// commands that change them. The rows of tables are in `yt.table.row`.
///
/// Begin with [TableCommands].
@NullMarked
package io.cleave.yt.table;

import org.jspecify.annotations.NullMarked;
