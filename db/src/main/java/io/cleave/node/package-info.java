/// Starts a node: constructs every part by hand, and closes the parts in reverse order. Opens and
/// locks the data folder, upgrades old formats, and watches the free disk space. Also checks a data
/// folder without a server.
///
/// What always holds:
///
/// - A start either returns a node that answers requests, or throws `StartException` with a message
///   for the person who started it.
/// - All cells are replayed before anything is written or removed. Cells that do not belong
///   together are refused unchanged.
/// - No other package of the module names this one. Other modules start nodes through it.
///
/// Begin with [io.cleave.node.Node], then `Store` for the parts below transactions and `DataFolder`
/// for the files. `Fsck` checks a data folder.
@NullMarked
package io.cleave.node;

import org.jspecify.annotations.NullMarked;
