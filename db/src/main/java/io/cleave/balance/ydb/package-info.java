/// The policy of YDB's tables: when tablets are split, merged and moved, at which keys, and to
/// which cells.
///
/// Merged tablets always stay well below the split thresholds, so that tablets are not split and
/// merged in turns. A move always makes the cells of a bundle more even. So under a load that does
/// not change, tablets come to rest.
///
/// Begin with [io.cleave.balance.ydb.YdbPolicy]. `TableDecisions` decides about one table:
/// `SplitRules` and `MergeRules` choose the tablets, `SizeKeys` and `LoadKeys` the keys.
/// `MoveRules` spreads tablets over cells. The rules and their thresholds are described in
/// `docs/partitioning.md`.
@NullMarked
package io.cleave.balance.ydb;

import org.jspecify.annotations.NullMarked;
