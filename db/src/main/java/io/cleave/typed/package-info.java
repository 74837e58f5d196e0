/// The typed tree: statements, relations and expressions with every name and type resolved, and the
/// interfaces of resolved functions. A query language produces this tree; `plan` and `exec` consume
/// it. Neither knows in which language a text was written.
///
/// A tree is an immutable value. It does not say how it will be executed. An argument has exactly
/// the type that its function was resolved for; every conversion is a node of its own. Functions
/// have no state except what a run keeps for them ([io.cleave.typed.ScalarFunction.Run]).
///
/// The catalog stores the expressions of generated columns as text. Only the query language parses
/// them; other packages use [io.cleave.typed.GeneratedColumns].
///
/// Begin with [io.cleave.typed.Typed], the expressions; then [io.cleave.typed.Relation],
/// [io.cleave.typed.TypedStatement] and [io.cleave.typed.AnalyzedText], which is a whole text.
@NullMarked
package io.cleave.typed;

import org.jspecify.annotations.NullMarked;
