/// Who is calling, and what they may do: pure rules over users, groups and access control lists
/// ([io.cleave.schema.Access]). A front end finds out who makes a call ([Caller]), and passes the
/// caller down to `Database.as`. Logins, tokens and stored passwords are here, too.
///
/// What always holds: nothing here reads a clock, a file or the network, so every rule is a
/// function of its arguments. The rights and their names are those of YDB.
///
/// The rules are not enforced yet: every caller may do everything, and tokens are not signed. The
/// places where a permission will be checked with [AccessCheck#may]: `query.CallerDatabase` for the
/// tree, rows and sessions of every front end; `console.OperatorAccess` for an operator's changes
/// of tablets; `yt.table.YtTables` for those of YTsaurus' commands; `yt.tree.TreeEditor` for the
/// nodes that only YTsaurus' API has.
///
/// Begin with [Caller]; then read [AccessCheck].
@NullMarked
package io.cleave.access;

import org.jspecify.annotations.NullMarked;
