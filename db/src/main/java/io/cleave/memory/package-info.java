/// Divides the heap among all kinds of memory that grow with the number of clients. Each share has
/// a name and a limit. Code that keeps bytes for a client takes them from a share first and gives
/// them back afterwards. The server therefore refuses work, and names the exhausted share, before
/// the heap is full, whatever all clients do together.
///
/// Begin with [io.cleave.memory.MemoryBudget].
@NullMarked
package io.cleave.memory;

import org.jspecify.annotations.NullMarked;
