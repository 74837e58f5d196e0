/// When tablets split and merge, and at which keys: functions of what was measured, which read no
/// clock and change nothing. `cluster.Partitioner` measures, asks, and carries out.
///
/// Begin with [io.cleave.balance.Balancer]. *What* to do is in [io.cleave.balance.SplitRules] and
/// [io.cleave.balance.MergeRules]; *at which key* in [io.cleave.balance.SizeKeys] and
/// [io.cleave.balance.LoadKeys]. The rules, with their thresholds: `docs/partitioning.md`.
@NullMarked
package io.cleave.balance;

import org.jspecify.annotations.NullMarked;
