/// Speed, measured from outside: a benchmark starts the server in another process, loads it through
/// YDB's own SDK, and prints one line a figure. Package `storage` measures the storage engine
/// alone.
///
/// A new benchmark is a class like [io.cleave.bench.ClientsBenchmark], named in
/// [io.cleave.bench.Main].
@NullMarked
package io.cleave.bench;

import org.jspecify.annotations.NullMarked;
