/// What clients get of Cleave beside PostgreSQL, a bare gRPC echo and H2, on the same rows. Begin
/// reading at [io.cleave.bench.query.QueryBenchmark]; each part is a class of its own, and
/// [io.cleave.bench.query.Servers] are what they ask.
@NullMarked
package io.cleave.bench.query;

import org.jspecify.annotations.NullMarked;
