/// What a command of YTsaurus' API is, whatever it does and however it arrives. The commands are in
/// `yt.tree` and `yt.table`; `yt` receives calls over HTTP.
///
/// Begin with [Command].
@NullMarked
package io.cleave.yt.command;

import org.jspecify.annotations.NullMarked;
