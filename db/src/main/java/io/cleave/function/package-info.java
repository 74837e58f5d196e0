/// The function library: the implementation of each function, operator and aggregate, in
/// sub-packages by subject. This package has the registry of all functions, and those that belong
/// to no subject: constructors of values, NULL, types, and functions of the run.
///
/// The library knows no tables and no statements. It sees the query around a call only through
/// [io.cleave.function.call.CallScope], which the query language implements. A function is resolved
/// once, when a query is compiled, to a node of the typed tree.
///
/// The sub-packages from the bottom upwards: `call` (how a call is analyzed), `time`, `text`,
/// `document`, `operator`, `number`, `aggregate`, `container`, and `yt` for the functions of
/// YTsaurus' language. Each depends only on those before it.
///
/// Begin with [io.cleave.function.Functions]. To add a function, find the class of its subject and
/// its method `register`.
@NullMarked
package io.cleave.function;

import org.jspecify.annotations.NullMarked;
