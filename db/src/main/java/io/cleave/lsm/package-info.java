/// The rows of one tablet, stored as an LSM tree: memtables, table files in the blob store, merged
/// reads, flushes and compactions.
///
/// Keys and fields are bytes here; this package knows no types and uses no clock. A tree changes
/// only through its writer, one thread at a time; readers take a view of the tree and need no
/// locks. Files are immutable: a flush or a compaction writes new files, and the caller deletes the
/// old ones once the change is durable.
///
/// Begin with [io.cleave.lsm.LsmTree]. A write goes to `memtable.Memtable`, a flush and a
/// compaction to `table.TableWriter`, a read through `TreeView` to `table.TableReader`. `row` has
/// what they share: rows, versions and the cursors over them. `CompactionPicker` decides what is
/// compacted.
@NullMarked
package io.cleave.lsm;

import org.jspecify.annotations.NullMarked;
