/// Fills indexes that are added to tables with rows.
///
/// [io.cleave.index.IndexBuilds] knows the builds; [io.cleave.index.IndexBuild] is one of them, and
/// `docs/indexes.md` says why its result is right.
@NullMarked
package io.cleave.index;

import org.jspecify.annotations.NullMarked;
