/// Divides the heap into named pools, one for each kind of memory that grows with the number of
/// clients. Code that keeps bytes for a client takes them from a pool first and gives them back
/// afterwards. The server therefore refuses work, and names the exhausted pool, before the heap is
/// full, whatever all clients do together.
///
/// What always holds:
///
/// - The sizes of the pools are fixed at start. They leave room for memory that does not grow with
///   clients.
/// - A pool only counts bytes. It does not know who has taken them, so the taker must give them
///   back, also after a failure.
/// - Callers that wait for bytes of a pool are served in the order of their arrival.
///
/// Begin with [io.cleave.memory.MemoryBudget], which lists the pools.
@NullMarked
package io.cleave.memory;

import org.jspecify.annotations.NullMarked;
