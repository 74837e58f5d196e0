/// When the tables of a bundle are balanced: which minutes an iteration of the balancer tests, and
/// which formula decides.
///
/// A minute is a minute of the local clock. Every minute that the clock shows is tested exactly
/// once: minutes that it skips in spring are tested right after the skip, and those that it shows a
/// second time in autumn are not tested again. So a formula that is true at 02:30 is true once a
/// day, on every day.
///
/// Begin with [io.cleave.balance.yt.schedule.Slots], which says what is tested. `Schedule` is the
/// formula of a group, its bundle or the cluster, and what it says of the minutes. `UpcomingRounds`
/// lists when it is true from now on, `BundleRounds` for all groups of a bundle. `ClusterConfig` is
/// what is set for all bundles.
@NullMarked
package io.cleave.balance.yt.schedule;

import org.jspecify.annotations.NullMarked;
