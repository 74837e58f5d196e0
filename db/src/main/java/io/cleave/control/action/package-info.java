/// Actions: changes of tablets that are stored before they begin, and that a start finishes if the
/// process ended meanwhile. Clients of YTsaurus know them as `tablet_action`.
///
/// A tablet is in at most one unfinished action. An action is carried out while its tablets are
/// read and written, and can be repeated from any point. If a user changes a tablet of an action
/// first, the user wins, and the action fails.
///
/// Begin with [io.cleave.control.action.TabletActions]. [io.cleave.control.action.TabletAction] is
/// one action, `ActionCodec` its row, `ActionRules` says which actions may begin, and `ActionRun`
/// carries one out.
@NullMarked
package io.cleave.control.action;

import org.jspecify.annotations.NullMarked;
