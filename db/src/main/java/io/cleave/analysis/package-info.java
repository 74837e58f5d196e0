/// Resolves the names and types of YQL: converts a syntax tree, with the help of the catalog, to a
/// typed tree (package `typed`). This package has the statements, queries, scopes, pragmas and DDL.
/// Functions are in package `function`.
///
/// The analysis is pure: it reads no rows and no clock. One thread analyzes one text. Every error
/// of a user is a `StatusException` with its position; independent errors of a text are reported
/// together. A name is resolved in the scope of its definition. The result depends on the version
/// of every table that the text names.
///
/// Queries nest, and names stand for queries and expressions. The depth, the copies and the
/// expansions are bounded; see [io.cleave.analysis.AnalysisContext].
///
/// Begin with [io.cleave.analysis.StatementAnalyzer]; then [io.cleave.analysis.SelectAnalyzer] for
/// a query, [io.cleave.analysis.ExpressionAnalyzer] for an expression and
/// [io.cleave.analysis.Scope] for the meaning of names.
@NullMarked
package io.cleave.analysis;

import org.jspecify.annotations.NullMarked;
