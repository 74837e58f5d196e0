/// Whole servers on simulated disks, clocks and networks, with everything that can go wrong going
/// wrong, all from one number.
///
/// Begin with [io.cleave.sim.Simulation], which is one run from one seed.
@NullMarked
package io.cleave.sim;

import org.jspecify.annotations.NullMarked;
