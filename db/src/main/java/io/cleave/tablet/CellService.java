package io.cleave.tablet;

import io.cleave.base.Bytes;
import io.cleave.base.Direction;
import io.cleave.codec.RowReader;
import io.cleave.schema.KeyRange;
import io.cleave.schema.RowVersion;
import io.cleave.schema.VersionLimits;
import io.cleave.tablet.lock.LockOwner;
import io.cleave.tablet.record.CommitResult;
import io.cleave.tablet.record.TabletWrites;
import io.cleave.tablet.twophase.CellLinks;
import io.cleave.value.Value;

import org.jspecify.annotations.Nullable;

import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/// The interface of a cell for reading and writing rows: transactions, index builds, expiry.
/// Arguments and answers are values, so that a cell may be led by another process.
///
/// A read names its tablet by a route of this cell. It throws [MovedException] if the tablet no
/// longer has the keys; the exception says where they are. A read with an owner locks what it reads
/// before it reads. A version newer than the snapshot, found by the read or written later, breaks
/// the lock; the transaction learns it when it commits.
///
/// Threads: any. Every call may throw UNAVAILABLE.
public interface CellService {
    long id();

    /// The tablets of the cell, for those who create and change them.
    CellStructure structure();

    /// The columns of one row at the newest timestamp, or null if there is no such row. Keeps no
    /// snapshot: see decision 18.
    Value @Nullable [] getNewest(Route route, Bytes key, RowReader columns) throws MovedException;

    /// The columns of one row at the snapshot, or null if there is no such row.
    Value @Nullable [] get(
            Route route, Bytes key, RowReader columns, long snapshot, @Nullable LockOwner owner)
            throws MovedException;

    /// Like [#get] for several keys of the tablet.
    Value[] @Nullable [] getMany(
            Route route,
            List<Bytes> keys,
            RowReader columns,
            long snapshot,
            @Nullable LockOwner owner)
            throws MovedException;

    /// The stored versions of one row up to the snapshot, the newest first. Those that are older
    /// than the table's history may be merged into one.
    List<RowVersion> versions(
            Route route, Bytes key, RowReader columns, long snapshot, VersionLimits limits)
            throws MovedException;

    /// The rows of a range of the tablet, one after the other.
    RowScan scan(
            Route route,
            KeyRange range,
            Direction direction,
            RowReader columns,
            long snapshot,
            @Nullable LockOwner owner)
            throws MovedException;

    /// The rows of a range of the tablet in key order, in batches.
    ColumnScan scanColumns(
            Route route,
            KeyRange range,
            RowReader columns,
            long snapshot,
            @Nullable LockOwner owner)
            throws MovedException;

    /// Like [#scanColumns], cut into parts of about `partBytes`, in key order. Different threads
    /// may read different parts at the same time.
    List<ColumnScan> scanParts(
            Route route,
            KeyRange range,
            RowReader columns,
            long snapshot,
            @Nullable LockOwner owner,
            long partBytes)
            throws MovedException;

    /// The first `most` keys in the tablet's part of `range` that were written after `after` and up
    /// to `through`, inclusive. `through` must be visible, and the caller must hold `after`.
    List<ChangedKey> changes(Route route, KeyRange range, long after, long through, int most)
            throws MovedException;

    /// Commits writes to any tablets of this cell as one record. Returns when the record is durable
    /// and visible. The commit is refused if a lock of the owner is broken, and is answered with
    /// [CommitResult.Moved] if the owner has locks in other cells. It is also refused if a
    /// `writeSnapshot` is given and one of the keys was written after it.
    CommitResult commit(
            List<TabletWrites> writes, @Nullable LockOwner owner, @Nullable Long writeSnapshot);

    /// Like [#commit], without waiting. `ended` is called on the thread of the log, when the commit
    /// is durable and visible or when its outcome is unknown. Returns false, and changes nothing,
    /// if the commit would have to wait for anything else or would be refused.
    boolean commitLater(
            List<TabletWrites> writes, @Nullable LockOwner owner, Consumer<CommitResult> ended);

    /// Counts all locks of the owner in its memory pool from now on, because the transaction stays
    /// open between requests. Throws OVERLOADED if there is no memory for them.
    void countLocks(long ownerId);

    /// Releases the locks of the owner, at the end of its transaction. Locks that a multi-cell
    /// commit has pinned stay until its outcome is known.
    void releaseLocks(long ownerId);

    /// How this cell and the others are reached by a multi-cell commit.
    CellLinks links();

    /// Starts a bulk load of rows in key order. Throws UNAVAILABLE if the cell takes no writes or
    /// does not have the tablet.
    BulkLoad bulkLoad(long tabletId);

    /// Why the memtables of the cell cannot be flushed; empty while they can.
    Optional<String> flushFailure();

    /// Whether commits are delayed because flushes or compactions are behind.
    boolean isHeldBack();
}
