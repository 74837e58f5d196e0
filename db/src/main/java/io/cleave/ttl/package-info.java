/// Erases rows whose time has passed, in the background.
///
/// [io.cleave.ttl.TtlRuns] knows which tables have a TTL and when each is gone over next;
/// [io.cleave.ttl.EraseRun] goes over one of them. When a row has expired is
/// [io.cleave.ttl.ExpiryRule]'s to say. `docs/ttl.md` tells it from a user's side.
@NullMarked
package io.cleave.ttl;

import org.jspecify.annotations.NullMarked;
