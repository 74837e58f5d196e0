/// The line of time that all cells of a node share: the order of commits, and the snapshots that
/// readers take.
///
/// [io.cleave.time.Timeline] gives each commit its timestamp and publishes it when the commit is
/// durable. Each cell has a lane, whose commits become visible in order. A snapshot is one
/// timestamp, whatever cells it reads. Registered snapshots keep the row versions that they need
/// from being compacted away.
///
/// What always holds: timestamps strictly increase. A snapshot is below every timestamp in flight,
/// so it never sees a part of a commit. A process that may have lost its
/// [io.cleave.time.Leadership] gives out no snapshot. This package knows no cells, tablets or rows.
///
/// Begin with [io.cleave.time.Timeline].
@NullMarked
package io.cleave.time;

import org.jspecify.annotations.NullMarked;
