/// What a policy of splits, merges and moves is: the state of the cluster that it looks at, the
/// settings of the node, and the decisions that it makes. `control` measures, asks a policy, and
/// carries out its decisions.
///
/// A policy is a pure function: it reads no clock and changes nothing. It makes every choice (which
/// tablet, at which keys, to which cell), so that a plan shows exactly what would be done. Every
/// decision has the figures it is based on. [io.cleave.balance.PolicyPerTable] sees to it that only
/// one policy decides about a table.
///
/// Begin with [io.cleave.balance.Policy]. [io.cleave.balance.ClusterState] is what it sees, and
/// [io.cleave.balance.Decision] what it answers. The policy of YDB's tables is in `balance.ydb`.
/// The rules, settings and schedules of YTsaurus' balancer are in `balance.yt`.
@NullMarked
package io.cleave.balance;

import org.jspecify.annotations.NullMarked;
