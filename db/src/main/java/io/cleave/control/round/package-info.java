/// Rounds of YTsaurus' rules: when the tables of a group are resharded and moved.
///
/// An iteration starts every two minutes, or as the cluster's document says. It tests the schedule
/// of each group at the minutes since the group's latest start. If one fires, the group's tables
/// are resharded, and moved by the iteration after that. What was tested, and what is pending, is
/// stored before any change begins. So no minute is tested twice, whenever the process ends.
///
/// Begin with [io.cleave.control.round.Rounds]. It knows the cluster as
/// [io.cleave.control.round.RoundCluster], and starts changes with
/// [io.cleave.control.round.RoundActions].
@NullMarked
package io.cleave.control.round;

import org.jspecify.annotations.NullMarked;
