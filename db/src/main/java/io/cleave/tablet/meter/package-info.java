/// What the load on a tablet costs, measured by sampling: CPU time, rows, waiting commits, and the
/// keys that are accessed most.
///
/// A [io.cleave.tablet.meter.TabletMeter] belongs to one tablet. It notes every n-th operation and
/// lets it stand for all of them, so that most reads and writes pay only for a random number.
/// [io.cleave.tablet.meter.KeyReservoir] keeps the sampled keys, from which the balancer chooses
/// where to split.
///
/// What always holds: a figure never blocks the operation that it measures. Figures are estimates;
/// nothing that must be right depends on them. Any thread may call this package.
///
/// Begin with [io.cleave.tablet.meter.TabletMeter].
@NullMarked
package io.cleave.tablet.meter;

import org.jspecify.annotations.NullMarked;
