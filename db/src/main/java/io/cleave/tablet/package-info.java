/// Cells and tablets. A cell applies the records of one log, in order, to the rows of many tablets;
/// a tablet is one key range of one table. [io.cleave.tablet.CellService] is the interface of a
/// cell to those who read and write rows, [io.cleave.tablet.CellStructure] to those who create,
/// change and drop tablets, and [io.cleave.tablet.TabletStatistics] to those who measure them. The
/// packages below hold what knows no cell: records, locks, figures and decisions.
///
/// What always holds:
///
/// - The tablets, rows and files of a cell are a function of its log. [io.cleave.tablet.CellState]
///   applies records; apart from statistics it depends on no clock and on no random number.
/// - A reader sees only commits that are durable, and each of them whole.
/// - The leader of a cell is a [io.cleave.tablet.Cell]. Every change that it makes goes through its
///   [io.cleave.tablet.CellJournal]: state and log are changed together, under one lock.
///   [io.cleave.tablet.CellUpkeep] flushes and compacts in the background.
///
/// Begin with [io.cleave.tablet.CellJournal], then follow one commit in
/// [io.cleave.tablet.CellCommits].
@NullMarked
package io.cleave.tablet;

import org.jspecify.annotations.NullMarked;
