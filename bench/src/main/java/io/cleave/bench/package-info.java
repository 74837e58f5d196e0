/// Performance, measured from outside: a benchmark starts the server in another process, loads it
/// through YDB's own SDK, and prints one figure on each line. Package `storage` measures the
/// storage engine alone.
///
/// A figure may have a bar, which is the limit that Cleave has to meet. Many bars are multiples of
/// a yardstick: another system that does the same work in the same run.
///
/// Begin with [io.cleave.bench.Main], the list of benchmarks. A new benchmark is a class like
/// [io.cleave.bench.ClientsBenchmark], registered in [io.cleave.bench.Main].
@NullMarked
package io.cleave.bench;

import org.jspecify.annotations.NullMarked;
