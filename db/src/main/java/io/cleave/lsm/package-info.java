/// One tablet's rows as an LSM tree: memtables, table files in the blob store, merged reads and
/// compaction. Keys and cells are bytes here; it never sees a type or a clock.
@NullMarked
package io.cleave.lsm;

import org.jspecify.annotations.NullMarked;
