/// The commands of YTsaurus' API that run and explain queries: `select_rows` and `explain_query`.
/// The language is in `ytql`; queries are compiled, cached and run as those of YQL.
///
/// What always holds: rows are sent to the client while the query runs, and the query waits for a
/// client that reads slowly. A mistake in a query is a `YtException`.
///
/// Begin with [QueryCommands], which lists the commands, and [SelectRows].
@NullMarked
package io.cleave.yt.table.query;

import org.jspecify.annotations.NullMarked;
