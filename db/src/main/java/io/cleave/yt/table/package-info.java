/// Tables as YTsaurus' API has them: schemas, states of tablets, pivot keys, attributes, and the
/// commands that change them. The rows of tables are in `yt.table.row`.
///
/// Begin with [YtSchema].
@NullMarked
package io.cleave.yt.table;

import org.jspecify.annotations.NullMarked;
