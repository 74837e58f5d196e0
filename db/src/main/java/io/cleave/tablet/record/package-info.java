/// The records of a cell's log, and their bytes.
///
/// A [io.cleave.tablet.record.CellRecord] is one entry of the log: a commit, a step of a multi-cell
/// transaction, or a change of the set of tablets, memtables and files. The state of a cell is a
/// function of its records. [io.cleave.tablet.record.TabletSpec] and
/// [io.cleave.tablet.record.TabletWrites] are the values that records are made of, and that callers
/// of a cell pass to it.
///
/// What always holds: everything here is an immutable value or a pure function. Numbers of records
/// are on disk and keep their meaning (`docs/formats/cell.md`).
///
/// Begin with [io.cleave.tablet.record.CellRecord]; its encoding is
/// [io.cleave.tablet.record.RecordCodec].
@NullMarked
package io.cleave.tablet.record;

import org.jspecify.annotations.NullMarked;
