/// The storage engine beside RocksDB and LMDB, in one process, on the same rows. Begin reading at
/// [io.cleave.bench.storage.StorageBenchmark]; [io.cleave.bench.storage.Engine] is what each of
/// them has to do.
@NullMarked
package io.cleave.bench.storage;

import org.jspecify.annotations.NullMarked;
