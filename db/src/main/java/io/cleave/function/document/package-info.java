/// Json and Yson: JSON_VALUE, JSON_QUERY and JSON_EXISTS, and the module `Yson`.
///
/// A document is parsed when a function needs it and is never changed. Json paths are parsed once,
/// when the query is compiled (package `jsonpath`). For Json, the clauses of the call decide how a
/// value of an unexpected type is handled; for Yson, options or pragmas decide
/// ([io.cleave.function.document.YsonLookups]). Parsing a long document reports its steps to the
/// run, so that it can be interrupted.
///
/// Package `value` reads and writes the bytes and texts of documents.
///
/// Begin with [io.cleave.function.document.JsonFunctions] and with
/// [io.cleave.function.document.YsonModule].
@NullMarked
package io.cleave.function.document;

import org.jspecify.annotations.NullMarked;
