package io.cleave.log;

import com.google.errorprone.annotations.CanIgnoreReturnValue;
import com.google.errorprone.annotations.concurrent.GuardedBy;

import io.cleave.base.Bytes;
import io.cleave.base.Check;
import io.cleave.base.Env;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;

/// A writer that makes records durable in groups: while one group is on its way to the disk, the
/// next one fills, and all of it goes with the next write and sync.
///
/// At any moment at most one thread commits: it takes the group, writes and syncs it, and tells all
/// its records before another may begin; so completions come in the order of positions. A writer
/// that is alone does this itself when it comes to wait ([#help]), for every hand-over to another
/// thread takes as long as a good part of a sync. Where several commit, and where nobody waits, the
/// log's own thread from [Env] does it, while they prepare their next records. That thread ends
/// when the writer is fenced, closed or failed, and closes the journal.
///
/// When the disk is full, and the journal knows that nothing of the group is there, the thread
/// tries again until there is room: the writer [stalls][#stall] meanwhile, and loses nothing.
///
/// When nothing has come for [#IDLE] behind a group, the thread has the journal mark its end:
/// damage to the last group can then be told from a write that a crash has cut off.
final class GroupCommit implements LogWriter {
    private static final Duration LONG = Duration.ofMinutes(1);

    /// How often a full disk is tried again.
    private static final Duration RETRY = Duration.ofMillis(200);

    /// Marks are durable within 10 ms where a sync takes less than 2.
    private static final Duration IDLE = Duration.ofMillis(8);

    private static final System.Logger LOGGER = System.getLogger(GroupCommit.class.getName());

    private final Env env;
    private final Journal journal;
    private final long epoch;
    private final long queueBytesBound;
    private final Consumer<Throwable> fatal;

    private final ReentrantLock lock = new ReentrantLock();
    private final Condition work = lock.newCondition();
    private final Condition room = lock.newCondition();
    private final Condition gone = lock.newCondition();

    @GuardedBy("lock")
    private Group filling;

    @GuardedBy("lock")
    private final Patience patience = new Patience();

    /// Someone has taken a group and not yet told all its records.
    @GuardedBy("lock")
    private boolean committing;

    /// A group was synced and has no mark behind it, since then.
    @GuardedBy("lock")
    private boolean isUnmarked;

    @GuardedBy("lock")
    private long syncedNanos;

    /// The thread waits for work alone, and has to be told that there is something to mark.
    @GuardedBy("lock")
    private boolean isThreadResting;

    /// The last group had no company, so one who waits may commit. Written under the lock; who
    /// reads `false` without it goes on to wait, for whoever wrote that looks after what is queued.
    private volatile boolean alone = true;

    /// A group for which a helper found no room; the thread goes on with it.
    @GuardedBy("lock")
    private @Nullable Group parked;

    private volatile Optional<String> stall = Optional.empty();
    private final List<Consumer<String>> stallListeners = new CopyOnWriteArrayList<>();

    /// The thread wants to know when the group has so many records; 0 if it does not.
    @GuardedBy("lock")
    private int awaited;

    /// Of all records not completed yet.
    @GuardedBy("lock")
    private long queuedBytes;

    @GuardedBy("lock")
    private long nextPosition;

    /// Why nothing is appended any more; null while the writer lives.
    @GuardedBy("lock")
    private @Nullable LogException ended;

    @GuardedBy("lock")
    private boolean failed;

    /// The thread is over.
    @GuardedBy("lock")
    private boolean finished;

    /// The records of one write and one sync.
    private static final class Group {
        final long firstPosition;
        final List<Bytes> records = new ArrayList<>();
        final List<Completion> completions = new ArrayList<>();
        long bytes;

        Group(long firstPosition) {
            this.firstPosition = firstPosition;
        }
    }

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
        filling = new Group(firstPosition);
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

    /// A record larger than the bound goes alone.
    @GuardedBy("lock")
    private boolean isFullFor(int recordBytes) {
        return ended == null && queuedBytes > 0 && queuedBytes + recordBytes > queueBytesBound;
    }

    @GuardedBy("lock")
    private void enqueue(Bytes record, Completion completion, CommittedBy by) {
        filling.records.add(record);
        filling.completions.add(completion);
        filling.bytes += record.length();
        queuedBytes += record.length();
        nextPosition++;
        // Who commits now looks at the queue when it is done.
        if (!committing) {
            boolean helped = by == CommittedBy.HELPER && alone;
            if (awaited == 0 ? !helped : filling.records.size() == awaited) {
                work.signal();
            }
        }
    }

    /// What is queued may be this caller's own, who cannot help while it is here.
    @GuardedBy("lock")
    private void awaitRoom(int recordBytes) {
        boolean interrupted = false;
        while (isFullFor(recordBytes)) {
            work.signal();
            interrupted |= await(room);
        }
        restoreInterrupt(interrupted);
    }

    /// Whoever has the log open has it alone, so nobody else can have fenced this writer.
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

    /// Returns when the thread has ended: nothing more will be written.
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
        Group dropped = null;
        boolean interrupted = false;
        lock.lock();
        try {
            if (ended == null) {
                ended = reason;
                if (drop == Drop.QUEUED) {
                    dropped = filling;
                    filling = new Group(nextPosition);
                }
            }
            work.signal();
            room.signalAll();
            while (!finished) {
                interrupted |= await(gone);
            }
        } finally {
            lock.unlock();
        }
        if (dropped != null) {
            refuse(dropped, reason);
        }
        restoreInterrupt(interrupted);
    }

    @Override
    public void help() {
        Group group = alone ? takeAlone() : null;
        if (group != null) {
            commit(group, CommittedBy.HELPER);
        }
    }

    @Override
    public Optional<String> stall() {
        return stall;
    }

    @Override
    public void whileStalled(Consumer<String> listener) {
        stallListeners.add(listener);
    }

    private @Nullable Group takeAlone() {
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
    private Group takeFilling() {
        Group group = filling;
        filling = new Group(nextPosition);
        committing = true;
        return group;
    }

    private void run() {
        try {
            Group group = take();
            while (group != null && commit(group, CommittedBy.THREAD)) {
                group = take();
            }
        } finally {
            finish();
        }
    }

    /// False when the writer has failed.
    @CanIgnoreReturnValue
    private boolean commit(Group group, CommittedBy by) {
        try {
            if (group.records.isEmpty()) {
                journal.mark(group.firstPosition);
                return true;
            }
            long began = env.nanoTime();
            if (by == CommittedBy.THREAD) {
                commitWhenThereIsRoom(group);
            } else {
                journal.commit(group.firstPosition, group.records);
            }
            long ended = env.nanoTime();
            int records = group.records.size();
            acknowledge(group, records, began, ended);
            return true;
        } catch (NoRoomException e) {
            return parkOrGiveUp(group, by, e);
        } catch (Throwable e) {
            // What reached the disk is unknown, and a later sync may wrongly report success.
            // Nothing more is written until the log has been opened anew and read back.
            fail(group, e);
            return false;
        } finally {
            stepDown();
        }
    }

    private void commitWhenThereIsRoom(Group group) throws IOException {
        boolean isWritten = false;
        while (!isWritten) {
            try {
                journal.commit(group.firstPosition, group.records);
                isWritten = true;
            } catch (NoRoomException e) {
                beginStall(e);
                if (isEnded()) {
                    throw e;
                }
                sleep();
            }
        }
        if (stall.isPresent()) {
            stall = Optional.empty();
            LOGGER.log(System.Logger.Level.WARNING, "there is room again: the log goes on");
        }
    }

    private void beginStall(NoRoomException reason) {
        if (stall.isPresent()) {
            return;
        }
        String why =
                "the disk of the log is full (%s); it goes on by itself when there is room"
                        .formatted(reason.getMessage());
        LOGGER.log(System.Logger.Level.ERROR, why);
        stall = Optional.of(why);
        // Not from the thread of the log: who is told may close the writer, and waits for it.
        env.spawn("log-stall-" + epoch, () -> tellWhileStalled(why));
    }

    private void tellWhileStalled(String why) {
        while (stall.isPresent()) {
            stallListeners.forEach(listener -> listener.accept(why));
            sleep();
        }
    }

    private void sleep() {
        try {
            env.sleep(RETRY);
        } catch (InterruptedException e) {
            // Nobody interrupts these threads; if someone does, they look sooner.
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

    /// A helper leaves the group to the thread, which waits for room. When the writer ends before
    /// there is room, those of the group are told so: nothing of it is in the log.
    private boolean parkOrGiveUp(Group group, CommittedBy by, NoRoomException reason) {
        Group queued;
        lock.lock();
        try {
            if (by == CommittedBy.HELPER) {
                parked = group;
                return true;
            }
            queued = filling;
            filling = new Group(nextPosition);
        } finally {
            lock.unlock();
        }
        stall = Optional.empty();
        var failure = new LogException("the log was closed while its disk was full", reason);
        refuse(group, failure);
        refuse(queued, failure);
        return false;
    }

    /// Lets the next one commit. Those of company that queued meanwhile do not help themselves.
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

    /// The next group for the log's own thread, an empty one to mark the end; null when there is
    /// none and there will be none.
    private @Nullable Group take() {
        lock.lock();
        try {
            while (committing || (parked == null && filling.records.isEmpty() && ended == null)) {
                if (awaitWork()) {
                    committing = true;
                    isUnmarked = false;
                    return new Group(nextPosition);
                }
            }
            Group again = parked;
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
                return null; // fenced meanwhile: what was there is refused
            }
            return takeFilling();
        } finally {
            lock.unlock();
        }
    }

    /// Waits for a while; true when the end of the log is to be marked instead. Nobody interrupts
    /// this thread; if someone does, it goes on waiting.
    @GuardedBy("lock")
    private boolean awaitWork() {
        if (!isUnmarked || committing) {
            isThreadResting = true;
            var _ = await(work);
            isThreadResting = false;
            return false;
        }
        long left = IDLE.toNanos() - (env.nanoTime() - syncedNanos);
        if (left <= 0) {
            return true;
        }
        var _ = await(work, Duration.ofNanos(left));
        return false;
    }

    /// Gives those who were told last a moment to come back.
    @GuardedBy("lock")
    private void awaitCompany() {
        int before = filling.records.size();
        long patienceNanos = patience.nanos(before);
        if (patienceNanos == 0) {
            return;
        }
        long deadline = env.nanoTime() + patienceNanos;
        awaited = patience.expected();
        long left = patienceNanos;
        while (filling.records.size() < awaited && ended == null && left > 0) {
            var _ = await(work, Duration.ofNanos(left));
            left = deadline - env.nanoTime();
        }
        awaited = 0;
        patience.waited(before, filling.records.size());
    }

    /// Completes all, also after one of them threw; the first failure then fails the writer.
    private void acknowledge(Group group, int records, long began, long ended) {
        release(group, records, began, ended);
        RuntimeException first = null;
        for (int index = 0; index < group.completions.size(); index++) {
            try {
                group.completions.get(index).completed(group.firstPosition + index, null);
            } catch (RuntimeException e) {
                first = first == null ? e : first;
            }
        }
        group.completions.clear();
        if (first != null) {
            throw first;
        }
    }

    private void release(Group group, int records, long began, long ended) {
        lock.lock();
        try {
            patience.synced(records, filling.records.size(), ended - began);
            isUnmarked = journal.hasMarks();
            syncedNanos = ended;
            alone = patience.expected() <= 1;
            queuedBytes -= group.bytes;
            room.signalAll();
        } finally {
            lock.unlock();
        }
    }

    private void fail(Group group, Throwable cause) {
        var failure = new LogException("writing the log failed: " + cause, cause);
        Group queued;
        lock.lock();
        try {
            failed = true;
            ended = failure;
            queued = filling;
            filling = new Group(nextPosition);
            room.signalAll();
        } finally {
            lock.unlock();
        }
        try {
            fatal.accept(cause);
        } catch (RuntimeException e) {
            // Not for a caller that helps: it is told like all others that its record has failed.
            failure.addSuppressed(e);
        }
        refuse(group, failure);
        refuse(queued, failure);
    }

    /// The reason is told as it is; a completion that throws at this point changes nothing more.
    private void refuse(Group group, LogException failure) {
        for (int index = 0; index < group.completions.size(); index++) {
            try {
                group.completions.get(index).completed(group.firstPosition + index, failure);
            } catch (RuntimeException e) {
                failure.addSuppressed(e);
            }
        }
    }

    private void finish() {
        try {
            journal.close();
        } catch (IOException e) {
            // Everything acknowledged was synced before; closing has nothing left to lose, but a
            // disk that cannot close a file is one to stop on.
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

    /// Whether nobody knows what the disk holds.
    boolean failed() {
        lock.lock();
        try {
            return failed;
        } finally {
            lock.unlock();
        }
    }

    /// Whether it was interrupted.
    @GuardedBy("lock")
    private boolean await(Condition condition) {
        return await(condition, LONG);
    }

    @GuardedBy("lock")
    private boolean await(Condition condition, Duration most) {
        try {
            env.await(condition, most);
            return false;
        } catch (InterruptedException e) {
            return true;
        }
    }

    private static void restoreInterrupt(boolean interrupted) {
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
