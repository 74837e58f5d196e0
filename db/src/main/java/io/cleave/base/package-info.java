/// What every package may name: the machine ([io.cleave.base.Env]), statuses, byte strings and
/// checks. Names nothing of ours. Only this package touches the machine's clock, threads and
/// chance.
@NullMarked
package io.cleave.base;

import org.jspecify.annotations.NullMarked;
