/// Defines what a command of YTsaurus' API is. This does not depend on what the command does, or on
/// how it arrives. The commands are in `yt.tree` and `yt.table`; `yt` receives calls over HTTP.
///
/// A [Command] describes itself ([CommandDescriptor]): its name, what it reads and writes, and
/// whether it changes anything. A [CommandCall] is one call of it: parameters, input, and where the
/// answer goes.
///
/// What always holds: a command knows nothing of HTTP, so `execute_batch` can call it, too. A
/// mistake in parameters is a `YtException`.
///
/// Begin with [Command].
@NullMarked
package io.cleave.yt.command;

import org.jspecify.annotations.NullMarked;
