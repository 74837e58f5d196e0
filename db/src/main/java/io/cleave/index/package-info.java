/// Keeps secondary indexes complete: fills new indexes with the existing rows, and applies later
/// writes to ASYNC indexes.
///
/// [io.cleave.index.IndexBuilds] knows all builds. [io.cleave.index.IndexBuild] is one of them.
/// `IndexFollowers` knows the followers of ASYNC indexes, and `IndexFollower` is one of them.
///
/// What always holds: queries read an index only when it is READY. A READY index has every row of
/// its table; an ASYNC index has every row as of the position of its follower. `docs/indexes.md`
/// explains why.
///
/// Begin with [io.cleave.index.IndexBuild].
@NullMarked
package io.cleave.index;

import org.jspecify.annotations.NullMarked;
