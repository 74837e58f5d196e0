/// Dates, times, intervals and time zones: the module `DateTime`, the functions on Tz types, and
/// date arithmetic.
///
/// A date or time is an integer that counts units since 1970 in UTC
/// ([io.cleave.value.Ints#unitMicros]). A result out of the range of its type is NULL and never
/// wraps around. The current time is that of the run: nothing here reads the system clock.
///
/// `function.operator` handles `+` and `-` on numbers and passes dates to this package.
///
/// Begin with [io.cleave.function.time.DateTimeModule]. [io.cleave.function.time.DateTimeTexts]
/// parses and formats texts.
@NullMarked
package io.cleave.function.time;

import org.jspecify.annotations.NullMarked;
