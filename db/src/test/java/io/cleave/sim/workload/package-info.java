/// What clients do to a database, and what must hold of what they are told.
///
/// Each [io.cleave.sim.workload.Workload] keeps to a [io.cleave.sim.workload.Client], so that the
/// same ones run in a simulation and, through an SDK, against a real server.
///
/// Begin with [io.cleave.sim.workload.Workload].
@NullMarked
package io.cleave.sim.workload;

import org.jspecify.annotations.NullMarked;
