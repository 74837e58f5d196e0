/// The tree as YTsaurus' clients see it ("Cypress"): nodes with attributes, paths, links,
/// documents, the objects in `//sys`, and master transactions with their locks. One tree serves
/// both APIs: `//a/b` is `/local/a/b` of YDB.
///
/// What always holds: a command changes the tree in one commit of the catalog, or not at all. The
/// changes of a transaction are kept as a list. No other client sees them before the commit.
///
/// Begin with [TreeCommands], which lists the commands, and [TreeService], through which they read
/// and change the tree.
@NullMarked
package io.cleave.yt.tree;

import org.jspecify.annotations.NullMarked;
