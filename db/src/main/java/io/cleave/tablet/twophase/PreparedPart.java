package io.cleave.tablet.twophase;

import io.cleave.log.LogException;
import io.cleave.tablet.lock.LockOwner;
import io.cleave.tablet.lock.LockTable;
import io.cleave.tablet.lock.ReadLocks;
import io.cleave.tablet.record.CellRecord;
import io.cleave.tablet.record.CellRecord.Decide;
import io.cleave.tablet.record.CellRecord.Outcome;
import io.cleave.tablet.record.CommitDecision;
import io.cleave.tablet.record.RecordCodec;
import io.cleave.tablet.record.TabletWrites;

import org.jspecify.annotations.Nullable;

import java.util.List;
import java.util.concurrent.CompletableFuture;

/// A cell's part of a multi-cell transaction, from its prepare to its end.
public final class PreparedPart {
    private final long transactionId;
    private final long coordinatorId;

    /// The cells with writes, without the coordinator.
    private final List<Long> participants;

    private final List<TabletWrites> writes;

    /// The read locks of the transaction. After a restart there are none.
    private final ReadLocks locks;

    /// The lock tables in which `locks` are pinned.
    private final List<LockTable> pinned;

    /// The record that commits the part, complete except for its timestamp: a decide or commit
    /// record in the coordinator, an outcome record in the other cells.
    private final byte[] record;

    /// Whether the prepare is in the log. Then the outcome must be logged too.
    private final boolean recorded;

    /// Whether the part was prepared before a restart.
    private final boolean restored;

    /// When it was prepared, in microseconds of the monotonic clock.
    private final long sinceMicros;

    /// Completed when the prepare is durable.
    private final CompletableFuture<@Nullable LogException> durable = new CompletableFuture<>();

    private PreparedPart(
            Preparation wanted,
            ReadLocks locks,
            List<LockTable> pinned,
            byte[] record,
            boolean recorded,
            boolean restored,
            long sinceMicros) {
        transactionId = wanted.transactionId();
        coordinatorId = wanted.coordinatorId();
        participants = wanted.participants();
        writes = wanted.writes();
        this.locks = locks;
        this.pinned = pinned;
        this.record = record;
        this.recorded = recorded;
        this.restored = restored;
        this.sinceMicros = sinceMicros;
    }

    /// A part that is prepared now.
    ///
    /// @param locks of the owner that `wanted` names; those in this cell are pinned
    /// @param record from [#commitRecord]
    public static PreparedPart of(
            Preparation wanted, ReadLocks locks, byte[] record, long cellId, long nowMicros) {
        boolean recorded = isRecorded(wanted, cellId);
        List<LockTable> pinned = locks.tablesIn(cellId);
        return new PreparedPart(wanted, locks, pinned, record, recorded, false, nowMicros);
    }

    /// A part that was prepared before a restart.
    public static PreparedPart restored(CellRecord.Prepare prepare, long nowMicros) {
        long id = prepare.transactionId();
        var wanted =
                new Preparation(
                        id,
                        prepare.coordinatorId(),
                        List.of(),
                        prepare.writes(),
                        LockOwner.NOBODY,
                        null);
        byte[] record = outcomeRecord(id, prepare.writes());
        var part =
                new PreparedPart(wanted, new ReadLocks(), List.of(), record, true, true, nowMicros);
        part.durable.complete(null);
        return part;
    }

    /// The coordinator's decision has its writes, so its prepare is not logged. Neither is that of
    /// a cell that was only read.
    static boolean isRecorded(Preparation wanted, long cellId) {
        return wanted.coordinatorId() != cellId && !wanted.writes().isEmpty();
    }

    /// The record that commits the part, without its timestamp. If only one cell has writes, the
    /// decision need not be remembered, so an ordinary commit is enough.
    public static byte[] commitRecord(Preparation wanted, long cellId) {
        long id = wanted.transactionId();
        List<TabletWrites> writes = wanted.writes();
        if (wanted.coordinatorId() != cellId) {
            return outcomeRecord(id, writes);
        }
        return wanted.participants().isEmpty()
                ? RecordCodec.encodeCommit(writes)
                : RecordCodec.encode(new Decide(0, id, wanted.participants(), writes), writes);
    }

    /// An outcome without its timestamp.
    public static byte[] outcomeRecord(long transactionId, List<TabletWrites> writes) {
        var outcome = new Outcome(transactionId, new CommitDecision.Abort(), writes);
        return RecordCodec.encode(outcome, writes);
    }

    public long transactionId() {
        return transactionId;
    }

    public long coordinatorId() {
        return coordinatorId;
    }

    public List<Long> participants() {
        return participants;
    }

    public List<TabletWrites> writes() {
        return writes;
    }

    public ReadLocks locks() {
        return locks;
    }

    public List<LockTable> pinned() {
        return pinned;
    }

    public byte[] record() {
        return record;
    }

    public boolean isRecorded() {
        return recorded;
    }

    public boolean isRestored() {
        return restored;
    }

    public long sinceMicros() {
        return sinceMicros;
    }

    public CompletableFuture<@Nullable LogException> durable() {
        return durable;
    }
}
