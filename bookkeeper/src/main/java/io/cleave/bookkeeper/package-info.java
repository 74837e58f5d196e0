/// The log and the blobs on Apache BookKeeper, with names and leases in Apache ZooKeeper.
///
/// [BookKeeperSettings] is the address and the settings; `BookKeeperStorage` opens a database.
/// `BookKeeperLog` is a log made of ledgers: see `docs/bookkeeper.md`. `BookKeeperBlobs` stores
/// each blob in one ledger. `ZooKeeperLease` decides which node leads.
///
/// What always holds:
///
/// - A log has at most one writer that can append; a newer writer fences it first.
/// - An acknowledged entry has at least as many copies as the ack quorum.
/// - The list of ledgers of a log, and the names of blobs, change only by compare-and-set.
///
/// Begin with [io.cleave.bookkeeper.BookKeeperStorage], then `BookKeeperLog`.
@NullMarked
package io.cleave.bookkeeper;

import org.jspecify.annotations.NullMarked;
