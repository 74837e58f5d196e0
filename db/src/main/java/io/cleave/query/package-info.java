/// Runs query texts: a text with its parameters comes in, result sets go out. The package has the
/// sessions with their transactions, the plan cache, and the choice of the thread. The system views
/// are in `query.view`, the metrics of queries in `query.metric`.
///
/// What always holds: at most one request is inside a session at a time. A cached plan is used only
/// while the tables and views that it was compiled against are unchanged. A failed query ends its
/// transaction. Every session has a caller. A front end opens and finds sessions, and reads and
/// writes rows through this package, with a [CallerDatabase]. Two things go past it. `yt` also
/// reaches tables and tablets below this package, in `yt.table.YtTables` and `yt.tree`. `wire`
/// closes sessions whose clients are gone with [Database#sessions].
///
/// Begin with [io.cleave.query.Database]; then read [QueryThreads], which chooses the thread,
/// `CompiledRuns`, which runs a compiled text, and [Session].
@NullMarked
package io.cleave.query;

import org.jspecify.annotations.NullMarked;
