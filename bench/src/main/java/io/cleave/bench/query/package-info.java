/// Cleave compared with PostgreSQL, a bare gRPC echo and H2, as clients see them, on the same rows.
///
/// Begin with [io.cleave.bench.query.QueryBenchmark]. Each part is its own class, and
/// [io.cleave.bench.query.Servers] has the systems that the parts query.
@NullMarked
package io.cleave.bench.query;

import org.jspecify.annotations.NullMarked;
