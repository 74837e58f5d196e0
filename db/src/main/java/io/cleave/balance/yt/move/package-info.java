/// Which tablets are moved to other cells of their bundle by YTsaurus' rules.
///
/// All is pure: a plan is a function of the [io.cleave.balance.yt.move.BundleLoad] and of the
/// settings, and for ordinary tables of a seed. A tablet is moved at most once by a plan; for each
/// tablet that is not moved the plan says why.
///
/// Begin with [io.cleave.balance.yt.move.MetricMoves]. It is built for a million tablets: its
/// structures are arrays of primitives, by indexes of cells and tablets. The rules of the other
/// groups of tables are [io.cleave.balance.yt.move.InMemoryMoves] and
/// [io.cleave.balance.yt.move.OrdinaryMoves].
@NullMarked
package io.cleave.balance.yt.move;

import org.jspecify.annotations.NullMarked;
