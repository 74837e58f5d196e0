/// Splits, merges and moves tablets automatically: measures the load of tablets, asks the pure
/// rules of `balance` for decisions, and carries them out with `cluster.Resharding`.
///
/// Tables with YTsaurus' balancer are changed in rounds: see `control.round`.
///
/// Every decision is logged with its reason and its outcome, and some time after a change a verdict
/// says whether it helped. The log survives a restart. A change that fails is retried, each time
/// after a longer delay.
///
/// Begin with [io.cleave.control.TabletBalancer], which looks at all tables again and again.
/// `TableWatch` measures one table, and `DecisionRun` carries out one decision. `DecisionLog` keeps
/// decisions ([io.cleave.control.TabletDecision]): `RecentDecisions` in memory, `StoredDecisions`
/// in the system cell. `Verdicts` judges them.
@NullMarked
package io.cleave.control;

import org.jspecify.annotations.NullMarked;
