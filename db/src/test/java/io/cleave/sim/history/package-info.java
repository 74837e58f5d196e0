/// What clients did and were told, and whether a correct database could have told them so.
///
/// [io.cleave.sim.history.Serializability] finds the cycles of a history of lists,
/// [io.cleave.sim.history.Linearizability] looks for an order of a history of one register. Both
/// know nothing of who made the history: a simulation or a real server.
///
/// Begin with [io.cleave.sim.history.Serializability].
@NullMarked
package io.cleave.sim.history;

import org.jspecify.annotations.NullMarked;
