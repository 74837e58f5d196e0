/// Which tablets of a table are merged, split or cut again by YTsaurus' rules.
///
/// All is pure: a plan is a function of the table's tablets and of the settings. Every tablet is
/// either in exactly one action of the plan, or the plan says why it is left alone.
///
/// Begin with [io.cleave.balance.yt.reshard.SizeReshard]. [io.cleave.balance.yt.reshard.SizeBounds]
/// says how large tablets should be. [io.cleave.balance.yt.reshard.MetricReshard] is for tables
/// that are balanced by a metric.
@NullMarked
package io.cleave.balance.yt.reshard;

import org.jspecify.annotations.NullMarked;
