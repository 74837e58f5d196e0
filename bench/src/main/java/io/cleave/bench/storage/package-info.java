/// Cleave's storage engine compared with RocksDB and LMDB, in one process, on the same rows.
///
/// Begin with [io.cleave.bench.storage.StorageBenchmark]. [io.cleave.bench.storage.Engine] is what
/// each engine has to implement.
@NullMarked
package io.cleave.bench.storage;

import org.jspecify.annotations.NullMarked;
