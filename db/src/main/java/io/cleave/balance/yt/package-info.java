/// The policy of tables that have YTsaurus' balancer: how its rules become decisions of `balance`.
///
/// The rules themselves are in the packages below: `reshard` and `move` are pure plans over arrays,
/// `settings` reads what clients have set, `schedule` and `formula` say when a round is due. This
/// package reads the stored settings, gives the rules what they look at, and chooses the keys at
/// which tablets are cut.
///
/// Begin with [io.cleave.balance.yt.YtPolicy].
@NullMarked
package io.cleave.balance.yt;

import org.jspecify.annotations.NullMarked;
