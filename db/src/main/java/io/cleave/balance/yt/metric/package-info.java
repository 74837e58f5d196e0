/// The load of a tablet, by an expression that a user sets: the metric of a group.
///
/// An expression names [io.cleave.balance.yt.metric.MetricColumn]s. How it is compiled is the
/// business of a [io.cleave.balance.yt.metric.MetricLanguage], which is given to the policy.
///
/// Begin with [io.cleave.balance.yt.metric.CompiledMetrics].
@NullMarked
package io.cleave.balance.yt.metric;

import org.jspecify.annotations.NullMarked;
