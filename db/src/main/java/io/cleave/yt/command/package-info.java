/// Defines what a command of YTsaurus' API is. This does not depend on what the command does, or on
/// how it arrives. The commands are in `yt.tree` and `yt.table`; `yt` receives calls over HTTP.
///
/// Begin with [Command].
@NullMarked
package io.cleave.yt.command;

import org.jspecify.annotations.NullMarked;
