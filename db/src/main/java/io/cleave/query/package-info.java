/// Runs query texts: a text with its parameters comes in, result sets go out. The package has the
/// sessions with their transactions, the plan cache, the system views, and the metrics of queries.
///
/// What always holds: at most one request is inside a session at a time. A cached plan is used only
/// while the tables and views that it was compiled against are unchanged. A failed query ends its
/// transaction.
///
/// Begin with [io.cleave.query.Database]; then read `CompiledRuns`, which runs a compiled text, and
/// `Session`.
@NullMarked
package io.cleave.query;

import org.jspecify.annotations.NullMarked;
