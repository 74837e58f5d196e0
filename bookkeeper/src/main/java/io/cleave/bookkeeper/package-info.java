/// The log and the blobs on Apache BookKeeper, names and leases in Apache ZooKeeper. Begin with
/// [BookKeeperSettings]; how a log is made of ledgers is told in `docs/bookkeeper.md`.
@NullMarked
package io.cleave.bookkeeper;

import org.jspecify.annotations.NullMarked;
