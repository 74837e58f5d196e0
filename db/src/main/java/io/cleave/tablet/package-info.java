/// Cells and tablets: a log applied in order to the rows of many key ranges.
///
/// A cell's state is a function of its log: [io.cleave.tablet.CellState] applies records, and
/// neither reads a clock nor draws a number. [io.cleave.tablet.Cell] is the leader: it decides what
/// goes into the log, in which order, and when a write becomes visible.
/// [io.cleave.tablet.CellUpkeep] flushes and compacts behind it. Begin with `Cell.commit`.
@NullMarked
package io.cleave.tablet;

import org.jspecify.annotations.NullMarked;
