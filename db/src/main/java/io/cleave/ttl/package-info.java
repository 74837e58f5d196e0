/// Erases expired rows in the background.
///
/// [io.cleave.ttl.TtlRuns] knows which tables have a TTL and when each is visited next.
/// [io.cleave.ttl.EraseRun] is one run over a table. [io.cleave.ttl.ExpiryRule] decides when a row
/// has expired. `docs/ttl.md` is the user's view.
///
/// What always holds: a row is erased only if it has expired at the moment of its erase, and its
/// entries in SYNC indexes go with it. No snapshot is held for longer than one chunk, and the runs
/// wait while commits are held back. Nothing is stored; a restart begins the runs again.
///
/// Begin with [io.cleave.ttl.EraseRun].
@NullMarked
package io.cleave.ttl;

import org.jspecify.annotations.NullMarked;
