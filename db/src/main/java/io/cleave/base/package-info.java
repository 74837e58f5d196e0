/// What every other package may use: the machine ([io.cleave.base.Env]), statuses, byte strings and
/// checks. This package uses no other package of the project. Only this package uses the machine's
/// clock, threads and random numbers directly.
@NullMarked
package io.cleave.base;

import org.jspecify.annotations.NullMarked;
