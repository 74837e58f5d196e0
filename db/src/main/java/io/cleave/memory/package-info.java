/// The heap, shared out among what grows with clients. Each share has a name and a limit, and
/// whoever keeps bytes for a client takes them from a share first and gives them back afterwards.
/// So the server refuses work by name before the heap is full, whatever clients do together.
///
/// Begin with [io.cleave.memory.MemoryBudget].
@NullMarked
package io.cleave.memory;

import org.jspecify.annotations.NullMarked;
