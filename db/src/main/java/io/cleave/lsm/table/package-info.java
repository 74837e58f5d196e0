/// Table files: sorted, immutable files of row versions in the blob store, with their blocks,
/// index, key filter, statistics and block cache.
///
/// What always holds: a file is written once, in key order, and never changed. Its footer is
/// written last, so a file without a footer was never finished. Every block has a checksum, which
/// is verified before the block is used; a difference is a `CorruptionException` that names the
/// file. A `Slice` is the part of a file that belongs to a tree; the trees above decide which
/// slices they have, and delete files that no tree uses. Threads: any number of readers of a file,
/// one writer.
///
/// Begin with [io.cleave.lsm.table.TableWriter] for the format, and with
/// [io.cleave.lsm.table.TableReader] for reads by key. `RunSource` is a scan over the files of a
/// run, `TableFiles` opens files and holds the cache.
@NullMarked
package io.cleave.lsm.table;

import org.jspecify.annotations.NullMarked;
