/// Rows, their versions and the cursors over them: what memtables, table files and the tree above
/// them have in common.
///
/// A version is a key, a timestamp and a `RowChange`. A `Source` is a sorted sequence of versions;
/// a memtable is one, and a run of table files is one. `Merge` combines several sources, and
/// `RowCursor` makes rows from their versions for one snapshot. `KeyHistogram` and `KeySample`
/// describe where the keys of a source are.
///
/// What always holds: keys and columns are bytes, compared as unsigned bytes. The newest version of
/// a key comes first. Nothing here reads a file, waits, or asks for the time. Threads: one for each
/// object, unless its comment says otherwise.
///
/// Begin with [io.cleave.lsm.row.Row] and [io.cleave.lsm.row.Source].
@NullMarked
package io.cleave.lsm.row;

import org.jspecify.annotations.NullMarked;
