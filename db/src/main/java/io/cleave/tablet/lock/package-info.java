/// The optimistic locks of transactions, and what a prepared transaction holds in a tablet.
///
/// A lock is a note in a tablet's [io.cleave.tablet.lock.LockTable] that a transaction has read a
/// key or a range. A write of another transaction breaks it, and the owner of a broken lock cannot
/// commit writes. [io.cleave.tablet.lock.ReadLocks] has the locks of one transaction, and
/// [io.cleave.tablet.lock.Engagements] has the intents and pins of prepared transactions in one
/// tablet.
///
/// What always holds: nobody waits for a lock. Only writes wait, for transactions that are prepared
/// and have no outcome yet. The number of locks of a transaction has a limit; above it, locks
/// become one lock on the whole tablet.
///
/// Begin with [io.cleave.tablet.lock.LockTable].
@NullMarked
package io.cleave.tablet.lock;

import org.jspecify.annotations.NullMarked;
