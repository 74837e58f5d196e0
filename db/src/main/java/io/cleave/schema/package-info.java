/// The schema: tables with their columns, keys, indexes and options, views, users and permissions,
/// ranges of encoded keys, and the figures of tablets and replicas that users see.
///
/// `TableRules` checks a `TableDefinition` and makes a table of it; `TableAlteration` applies the
/// actions of an ALTER TABLE. Both are pure functions, with the limits and messages of YDB. Queries
/// find tables through the interface `Tables`.
///
/// What always holds: all types are immutable, and each change of a table makes a new one with a
/// greater version. The id of a column is never used again in its table.
///
/// Begin with [io.cleave.schema.Table].
@NullMarked
package io.cleave.schema;

import org.jspecify.annotations.NullMarked;
