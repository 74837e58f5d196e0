/// Who is calling, and what they may do: pure rules over users, groups and access control lists
/// ([io.cleave.schema.Access]). A front end finds out who makes a call ([Caller]), and passes the
/// caller down to `Database.as`. Logins, tokens and stored passwords are here, too.
///
/// What always holds: nothing here reads a clock, a file or the network, so every rule is a
/// function of its arguments. The rights and their names are those of YDB.
///
/// The rules are not enforced yet: every caller may do everything, and tokens are not signed. The
/// place where a permission will be checked is `query.CallerDatabase`, which every call of a front
/// end goes through, with [AccessCheck#may].
///
/// Begin with [Caller]; then read [AccessCheck].
@NullMarked
package io.cleave.access;

import org.jspecify.annotations.NullMarked;
