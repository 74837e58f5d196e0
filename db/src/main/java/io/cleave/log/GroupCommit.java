package io.cleave.log;

import com.google.errorprone.annotations.CanIgnoreReturnValue;
import com.google.errorprone.annotations.concurrent.GuardedBy;

import io.cleave.base.Bytes;
import io.cleave.base.Check;
import io.cleave.base.Env;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;

/// A writer that makes records durable in groups. While one group is written and synced, the next
/// group fills; it then goes to the disk with one write and one sync.
///
/// At most one thread commits at a time. It takes the group, writes and syncs it, and calls all
/// completions before another thread may commit, so completions come in the order of positions. If
/// only one caller appends, it commits by itself when it starts to wait ([#help]), because handing
/// the group to another thread would take a good part of the time of a sync. If several callers
/// append, or no caller waits, the log's own thread from [Env] commits while the callers prepare
/// their next records. That thread ends when the writer is fenced, closed or failed, and closes the
/// journal.
///
/// If the disk is full, and the journal knows that nothing of the group was written, the thread
/// retries until there is room ([RoomWait]). The writer stalls meanwhile, and loses nothing.
///
/// If no record comes for [#IDLE] after a group, the thread has the journal mark the end of that
/// group. Damage to the last group can then be distinguished from a write that a crash interrupted.
final class GroupCommit implements LogWriter {
    private static final Duration LONG = Duration.ofMinutes(1);

    /// Marks are durable within 10 ms if a sync takes less than 2 ms.
    private static final Duration IDLE = Duration.ofMillis(8);

    // Constant after construction.

    private final Env env;
    private final Journal journal;
    private final long epoch;
    private final long queueBytesBound;
    private final Consumer<Throwable> fatal;
    private final RoomWait roomWait;

    // Own synchronisation.

    /// Whether the last group came from one caller, so that a caller who waits may commit. Written
    /// under the lock. A caller that reads `false` without the lock may simply wait: the thread
    /// that wrote it takes care of what is queued.
    private volatile boolean alone = true;

    private final ReentrantLock lock = new ReentrantLock();
    private final Condition work = lock.newCondition();
    private final Condition room = lock.newCondition();
    private final Condition gone = lock.newCondition();

    // Guarded by the lock.

    @GuardedBy("lock")
    private RecordGroup filling;

    @GuardedBy("lock")
    private final GroupDelay delay = new GroupDelay();

    /// Whether a thread has taken a group and has not called all its completions yet.
    @GuardedBy("lock")
    private boolean committing;

    /// Whether the last synced group has no mark after it.
    @GuardedBy("lock")
    private boolean isUnmarked;

    @GuardedBy("lock")
    private long syncedNanos;

    /// Whether the thread waits without a timeout, so that it must be woken to write a mark.
    @GuardedBy("lock")
    private boolean isThreadResting;

    /// A group for which a helper found no room on the disk; the thread continues with it.
    @GuardedBy("lock")
    private @Nullable RecordGroup parked;

    /// The number of records in the group at which the thread wants to be woken; 0 if it is not
    /// waiting for more records.
    @GuardedBy("lock")
    private int awaited;

    /// Bytes of all records that are not completed yet.
    @GuardedBy("lock")
    private long queuedBytes;

    @GuardedBy("lock")
    private long nextPosition;

    /// Why the writer has ended; null while it accepts records.
    @GuardedBy("lock")
    private @Nullable LogException ended;

    @GuardedBy("lock")
    private boolean failed;

    /// Whether the thread has ended.
    @GuardedBy("lock")
    private boolean finished;

    GroupCommit(
            Env env,
            Journal journal,
            long epoch,
            long firstPosition,
            long queueBytesBound,
            Consumer<Throwable> fatal) {
        this.env = env;
        this.journal = journal;
        this.epoch = epoch;
        this.queueBytesBound = queueBytesBound;
        this.fatal = fatal;
        roomWait = new RoomWait(env, "log-stall-" + epoch);
        filling = new RecordGroup(firstPosition);
        nextPosition = firstPosition;
    }

    GroupCommit start() {
        env.spawnWorker("log-writer-" + epoch, this::run);
        return this;
    }

    @Override
    public long epoch() {
        return epoch;
    }

    @Override
    public long append(Bytes record, Completion completion) {
        return append(record, completion, CommittedBy.THREAD);
    }

    @Override
    public long appendAwaited(Bytes record, Completion completion) {
        return append(record, completion, CommittedBy.HELPER);
    }

    private enum CommittedBy {
        THREAD,
        HELPER
    }

    private long append(Bytes record, Completion completion, CommittedBy by) {
        Check.that(record.length() <= RecordHeader.MAX_PAYLOAD, "a record of %d", record.length());
        long position;
        LogException refused;
        lock.lock();
        try {
            awaitRoom(record.length());
            position = nextPosition;
            refused = ended;
            if (refused == null) {
                enqueue(record, completion, by);
                return position;
            }
        } finally {
            lock.unlock();
        }
        completion.completed(position, refused);
        return position;
    }

    @Override
    public boolean hasRoom(int recordBytes) {
        lock.lock();
        try {
            return !isFullFor(recordBytes);
        } finally {
            lock.unlock();
        }
    }

    /// Whether the queue has no room. A record larger than the bound is accepted if the queue is
    /// empty.
    @GuardedBy("lock")
    private boolean isFullFor(int recordBytes) {
        return ended == null && queuedBytes > 0 && queuedBytes + recordBytes > queueBytesBound;
    }

    @GuardedBy("lock")
    private void enqueue(Bytes record, Completion completion, CommittedBy by) {
        filling.add(record, completion);
        queuedBytes += record.length();
        nextPosition++;
        // A thread that is committing looks at the queue when it is done.
        if (!committing) {
            boolean helped = by == CommittedBy.HELPER && alone;
            if (awaited == 0 ? !helped : filling.records.size() == awaited) {
                work.signal();
            }
        }
    }

    /// Wakes the thread, because the queued records may be those of this caller, which cannot help
    /// while it waits here.
    @GuardedBy("lock")
    private void awaitRoom(int recordBytes) {
        boolean interrupted = false;
        while (isFullFor(recordBytes)) {
            work.signal();
            interrupted |= env.awaitUninterrupted(room, LONG);
        }
        Env.restoreInterrupt(interrupted);
    }

    /// This process is the only one that has the log open, so no other process can have fenced this
    /// writer.
    @Override
    public void checkNotFenced() {
        lock.lock();
        try {
            if (ended != null) {
                throw ended;
            }
        } finally {
            lock.unlock();
        }
    }

    @Override
    public long nextPosition() {
        lock.lock();
        try {
            return nextPosition;
        } finally {
            lock.unlock();
        }
    }

    /// Ends the writer. When it returns, the thread has ended and nothing more will be written.
    void fence() {
        end(new FencedException(epoch), Drop.QUEUED);
    }

    @Override
    public void close() {
        end(new LogException("the log's writer " + epoch + " was closed", null), Drop.NOTHING);
    }

    private enum Drop {
        QUEUED,
        NOTHING
    }

    private void end(LogException reason, Drop drop) {
        RecordGroup dropped = null;
        boolean interrupted = false;
        lock.lock();
        try {
            if (ended == null) {
                ended = reason;
                if (drop == Drop.QUEUED) {
                    dropped = filling;
                    filling = new RecordGroup(nextPosition);
                }
            }
            work.signal();
            room.signalAll();
            while (!finished) {
                interrupted |= env.awaitUninterrupted(gone, LONG);
            }
        } finally {
            lock.unlock();
        }
        if (dropped != null) {
            dropped.refuse(reason);
        }
        Env.restoreInterrupt(interrupted);
    }

    @Override
    public void help() {
        RecordGroup group = alone ? takeAlone() : null;
        if (group != null) {
            commit(group, CommittedBy.HELPER);
        }
    }

    @Override
    public Optional<String> stall() {
        return roomWait.stall();
    }

    @Override
    public void whileStalled(Consumer<String> listener) {
        roomWait.listen(listener);
    }

    private @Nullable RecordGroup takeAlone() {
        lock.lock();
        try {
            if (committing
                    || !alone
                    || ended != null
                    || parked != null
                    || filling.records.isEmpty()) {
                return null;
            }
            if (!journal.isUninterruptible()) {
                work.signal();
                return null;
            }
            return takeFilling();
        } finally {
            lock.unlock();
        }
    }

    @GuardedBy("lock")
    private RecordGroup takeFilling() {
        RecordGroup group = filling;
        filling = new RecordGroup(nextPosition);
        committing = true;
        return group;
    }

    private void run() {
        try {
            RecordGroup group = take();
            while (group != null && commit(group, CommittedBy.THREAD)) {
                group = take();
            }
        } finally {
            finish();
        }
    }

    /// Commits a group. Returns false if the thread must end.
    @CanIgnoreReturnValue
    private boolean commit(RecordGroup group, CommittedBy by) {
        try {
            if (group.records.isEmpty()) {
                journal.mark(group.firstPosition);
                return true;
            }
            long began = env.nanoTime();
            if (by == CommittedBy.THREAD) {
                roomWait.commit(journal, group, this::isEnded);
            } else {
                journal.commit(group.firstPosition, group.records);
            }
            long ended = env.nanoTime();
            int records = group.records.size();
            release(group, records, began, ended);
            group.acknowledge();
            return true;
        } catch (NoRoomException e) {
            return parkOrGiveUp(group, by, e);
        } catch (Throwable e) {
            // It is unknown what reached the disk, and a later sync may wrongly report success.
            // Nothing more is written until the log has been reopened and read back.
            fail(group, e);
            return false;
        } finally {
            stepDown();
        }
    }

    private boolean isEnded() {
        lock.lock();
        try {
            return ended != null;
        } finally {
            lock.unlock();
        }
    }

    /// The disk was full. A helper leaves the group to the thread, which waits for room. If the
    /// writer ends before there is room, all queued records fail; none of them is in the log.
    private boolean parkOrGiveUp(RecordGroup group, CommittedBy by, NoRoomException reason) {
        RecordGroup queued;
        lock.lock();
        try {
            if (by == CommittedBy.HELPER) {
                parked = group;
                return true;
            }
            queued = filling;
            filling = new RecordGroup(nextPosition);
        } finally {
            lock.unlock();
        }
        roomWait.giveUp();
        var failure = new LogException("the log was closed while its disk was full", reason);
        group.refuse(failure);
        queued.refuse(failure);
        return false;
    }

    /// Lets the next thread commit. Wakes the log's thread if there is work for it, since callers
    /// that queued records meanwhile may not help.
    private void stepDown() {
        lock.lock();
        try {
            committing = false;
            if (ended != null
                    || parked != null
                    || !filling.records.isEmpty()
                    || (isUnmarked && isThreadResting)) {
                work.signal();
            }
        } finally {
            lock.unlock();
        }
    }

    /// The next group for the log's own thread; an empty group to mark the end; null if the writer
    /// has ended and nothing is left.
    private @Nullable RecordGroup take() {
        lock.lock();
        try {
            while (committing || (parked == null && filling.records.isEmpty() && ended == null)) {
                if (awaitWork()) {
                    committing = true;
                    isUnmarked = false;
                    return new RecordGroup(nextPosition);
                }
            }
            RecordGroup again = parked;
            if (again != null) {
                parked = null;
                committing = true;
                return again;
            }
            if (filling.records.isEmpty()) {
                return null;
            }
            awaitCompany();
            if (filling.records.isEmpty()) {
                return null; // fenced meanwhile; the records were refused
            }
            return takeFilling();
        } finally {
            lock.unlock();
        }
    }

    /// Waits for work; returns true if the end of the log should be marked now. The thread is not
    /// expected to be interrupted; an interrupt is ignored.
    @GuardedBy("lock")
    private boolean awaitWork() {
        if (!isUnmarked || committing) {
            isThreadResting = true;
            var _ = env.awaitUninterrupted(work, LONG);
            isThreadResting = false;
            return false;
        }
        long left = IDLE.toNanos() - (env.nanoTime() - syncedNanos);
        if (left <= 0) {
            return true;
        }
        var _ = env.awaitUninterrupted(work, Duration.ofNanos(left));
        return false;
    }

    /// Waits a moment for the callers whose records were just completed to append their next ones.
    @GuardedBy("lock")
    private void awaitCompany() {
        int before = filling.records.size();
        long delayNanos = delay.nanos(before);
        if (delayNanos == 0) {
            return;
        }
        long deadline = env.nanoTime() + delayNanos;
        awaited = delay.expected();
        long left = delayNanos;
        while (filling.records.size() < awaited && ended == null && left > 0) {
            var _ = env.awaitUninterrupted(work, Duration.ofNanos(left));
            left = deadline - env.nanoTime();
        }
        awaited = 0;
        delay.waited(before, filling.records.size());
    }

    private void release(RecordGroup group, int records, long began, long ended) {
        lock.lock();
        try {
            delay.synced(records, filling.records.size(), ended - began);
            isUnmarked = journal.hasMarks();
            syncedNanos = ended;
            alone = delay.expected() <= 1;
            queuedBytes -= group.bytes;
            room.signalAll();
        } finally {
            lock.unlock();
        }
    }

    private void fail(RecordGroup group, Throwable cause) {
        var failure = new LogException("writing the log failed: " + cause, cause);
        RecordGroup queued;
        lock.lock();
        try {
            failed = true;
            ended = failure;
            queued = filling;
            filling = new RecordGroup(nextPosition);
            room.signalAll();
        } finally {
            lock.unlock();
        }
        try {
            fatal.accept(cause);
        } catch (RuntimeException e) {
            // Must not reach a caller that helps; it learns of the failure through its completion,
            // like all others.
            failure.addSuppressed(e);
        }
        group.refuse(failure);
        queued.refuse(failure);
    }

    private void finish() {
        try {
            journal.close();
        } catch (IOException e) {
            // Everything that was acknowledged is synced, so nothing can be lost here. But a disk
            // that cannot close a file is a reason to stop.
            fatal.accept(e);
        }
        lock.lock();
        try {
            finished = true;
            gone.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /// Whether a write failed, so that it is unknown what the disk has.
    boolean failed() {
        lock.lock();
        try {
            return failed;
        } finally {
            lock.unlock();
        }
    }
}
