/// How a call is resolved: its arguments and their conversions, types and lambdas as arguments, and
/// the registry of functions.
///
/// All packages of the library use this one, and it depends on none of them.
/// [io.cleave.function.call.CallScope] gives access to the query around a call.
/// [io.cleave.function.call.Dialect] has the options in which services and pragmas differ.
///
/// Arguments are analyzed on first use, because the parameter types of a lambda are known only to
/// the function. An error is a `StatusException` with the position of the call.
///
/// Begin with [io.cleave.function.call.FunctionCall], then [io.cleave.function.call.Registry].
@NullMarked
package io.cleave.function.call;

import org.jspecify.annotations.NullMarked;
