/// The rows that a run keeps: how much memory they take, and the files for those that do not fit.
///
/// Sorts (`SortedRuns`), groups and joins (`Partitions`), and lists of rows (`RowList`) count what
/// they keep in the run's `QueryMemory`. When it is full, they write rows to files of the
/// `SpillFolder` and read them back as `Rows`.
///
/// What always holds: a file belongs to one run and is deleted with it; the start of a node empties
/// the folder. Memory is counted before it is used and given back at the end of the run. Every loop
/// over rows passes the run's `Checkpoint`, so a cancelled query ends soon.
///
/// Begin with [io.cleave.exec.spill.QueryMemory], then [io.cleave.exec.spill.Spill].
@NullMarked
package io.cleave.exec.spill;

import org.jspecify.annotations.NullMarked;
