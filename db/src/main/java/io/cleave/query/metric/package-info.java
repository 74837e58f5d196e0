/// What queries cost: the rows and bytes of each run by table, sums by text for each minute, and
/// the most expensive runs of each minute and hour.
///
/// A run counts its reads and writes in a [TableAccess] for each table, and adds the total to the
/// [QueryMeter] of its program. [QueryMetrics] collects the meters once a minute. The system views
/// of `query.view` show the figures.
///
/// What always holds: adding a run takes no lock and allocates nothing, unless it is the first run
/// of its program in a minute, or may be among the most expensive ones. Texts and intervals have
/// bounds, so the figures take a limited amount of memory.
///
/// Begin with [QueryMetrics].
@NullMarked
package io.cleave.query.metric;

import org.jspecify.annotations.NullMarked;
