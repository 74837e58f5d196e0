/// Tables as YTsaurus' API has them: schemas, states of tablets, pivot keys, attributes, and the
/// commands that change them. The rows of tables are in `yt.table.row`, queries in
/// `yt.table.query`.
///
/// A table of YTsaurus' API is a table of the database. What YDB's tables do not have, such as
/// states of tablets and settings, is in `schema.YtTable` and is stored with the table.
///
/// What always holds: what a command has changed is durable when it answers. A mistake is a
/// `YtException`.
///
/// Begin with [TableCommands].
@NullMarked
package io.cleave.yt.table;

import org.jspecify.annotations.NullMarked;
