/// Decides when tablets are split and merged, and at which keys. All of it is functions of
/// measurements: they read no clock and change nothing. `cluster.TabletBalancer` measures, asks for
/// decisions, and carries them out.
///
/// Merged tablets always stay well below the split thresholds, so that tablets are not split and
/// merged in turns. Every decision has the figures it is based on.
///
/// Begin with [io.cleave.balance.Balancer]. [io.cleave.balance.SplitRules] and
/// [io.cleave.balance.MergeRules] choose the tablets; [io.cleave.balance.SizeKeys] and
/// [io.cleave.balance.LoadKeys] choose the keys. The rules and their thresholds are described in
/// `docs/partitioning.md`.
@NullMarked
package io.cleave.balance;

import org.jspecify.annotations.NullMarked;
