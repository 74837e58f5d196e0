/// What every other package may use: the machine, statuses, byte strings and checks.
///
/// Time, threads, waiting and random numbers come from `Env`, so a whole cluster can run from one
/// seed. A request ends with a `StatusException`, damaged bytes with a `CorruptionException`, a bug
/// with a failed `Check`.
///
/// What always holds: this package uses no other package of the project. Only this package uses the
/// machine's clock, threads and random numbers directly. Byte strings are immutable and ordered as
/// unsigned bytes.
///
/// Begin with [io.cleave.base.Env] and [io.cleave.base.Bytes].
@NullMarked
package io.cleave.base;

import org.jspecify.annotations.NullMarked;
