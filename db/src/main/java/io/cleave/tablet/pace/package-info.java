/// How fast the background work of cells runs, and how far writers are slowed down for it.
///
/// Three pure functions decide: [io.cleave.tablet.pace.FlushPicker] which memtable is flushed next,
/// [io.cleave.tablet.pace.Pace] how fast a compaction may write, and
/// [io.cleave.tablet.pace.BackPressure] how a commit is held back. The other classes measure what
/// they decide by, such as the log that a restart would have to read, or hold what the cells of a
/// process share: memory for memtables, and slots for background threads.
///
/// What always holds: a decision depends only on its arguments and is tested as text. This package
/// knows no cell and no tablet; the cell measures, asks, and acts.
///
/// Begin with [io.cleave.tablet.pace.FlushPicker] and [io.cleave.tablet.pace.BackPressure].
@NullMarked
package io.cleave.tablet.pace;

import org.jspecify.annotations.NullMarked;
