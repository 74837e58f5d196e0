package io.cleave.tablet;

import io.cleave.base.Bytes;
import io.cleave.base.Env;
import io.cleave.base.Status;
import io.cleave.base.StatusException;
import io.cleave.log.Log;
import io.cleave.log.LogException;
import io.cleave.log.LogWriter;
import io.cleave.log.OnDamage;
import io.cleave.lsm.table.Slice;
import io.cleave.tablet.pace.LogMeter;
import io.cleave.tablet.record.CellRecord;
import io.cleave.tablet.record.CommitResult;
import io.cleave.tablet.record.CommitResult.Done;
import io.cleave.tablet.record.CommitResult.Lost;
import io.cleave.tablet.record.RecordCodec;
import io.cleave.time.Timeline;
import io.cleave.time.Timeline.CommitSlot;
import io.cleave.time.Timeline.Lane;
import io.cleave.time.Timeline.OnStall;

import org.jspecify.annotations.Nullable;

import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.LongFunction;

/// The log of a cell, and the state that follows from it. Every change of a cell goes through here,
/// in five steps:
///
/// 1. Take the lock.
/// 2. Decide whether the change can be made; wait for others if need be ([CellWaits]).
/// 3. Change the state and append the record: [#commit], [#change] or [#applyAndAppend].
/// 4. Release the lock.
/// 5. Wait until the record is durable; a commit also waits until it is visible.
///
/// So state and log have the changes in the same order. If step 3 fails halfway, they differ, and
/// the cell takes no more writes until it is opened anew. A log that fails has the same effect.
/// Readers see a change only when its timestamp is visible, hence only what is durable.
///
/// Threads: any.
final class CellJournal implements AutoCloseable {
    /// The id of the cell that holds the catalog.
    static final long SYSTEM_ID = 0;

    /// The precision of the log meter: `replayBytes` of log have this many marks.
    private static final int LOG_MARKS = 1024;

    // ---- constant after construction

    private final long cellId;
    private final Log log;
    private final BlobReferences references;

    /// Files that the replay could not open.
    private final List<LostFile> lostFiles;

    // ---- own synchronisation

    private final Timeline timeline;

    /// The cell's part of the timeline.
    private final Lane lane;

    private final LogWriter writer;

    /// Set when the cell is about to close: then nobody waits for a stalled log any more.
    private volatile boolean isEnding;

    // ---- guarded by the lock

    /// The cell's lock. Held while the state is changed and the record of the change is appended.
    private final ReentrantLock lock = new ReentrantLock();

    /// Changed under the lock. Its tablets can be looked up without it.
    private final CellState state;

    /// Replays the log and fences its previous writer.
    CellJournal(
            long cellId,
            Log log,
            BlobReferences references,
            Timeline timeline,
            CellOptions options,
            Env env,
            OnDamage onDamage) {
        this.cellId = cellId;
        this.log = log;
        this.references = references;
        this.timeline = timeline;
        lane = timeline.openLane();
        writer = log.openWriter();
        var meter = new LogMeter(options.replayBytes() / LOG_MARKS);
        state = new CellState(cellId, references, meter, env);
        var lost = new LostFiles(references.files().ofCell(cellId), onDamage);
        CellReplay.run(log, state, lost);
        lostFiles = lost.found();
        lane.skipPast(Math.max(state.maxTimestamp(), state.transactions().newest()));
        writer.whileStalled(this::stalled);
    }

    private void stalled(String why) {
        lane.stall(new LogException(why, null), () -> writer.stall().isPresent());
        if (isEnding) {
            // Releases the threads that wait for appended records.
            writer.close();
        }
    }

    long cellId() {
        return cellId;
    }

    Log log() {
        return log;
    }

    BlobReferences references() {
        return references;
    }

    List<LostFile> lostFiles() {
        return lostFiles;
    }

    Timeline timeline() {
        return timeline;
    }

    Lane lane() {
        return lane;
    }

    CellState state() {
        return state;
    }

    /// For those who look at the state before they change it.
    ReentrantLock lock() {
        return lock;
    }

    /// The position of the next record. Exact only for a caller that holds the lock.
    long nextPosition() {
        return writer.nextPosition();
    }

    /// Who writes the record of a commit to disk.
    enum AppendedBy {
        /// The thread that waits for it: it calls [#help] as soon as it has released the lock.
        WAITER,
        /// The log's own thread.
        LOG
    }

    /// Applies a commit with this timestamp to the state, and returns its record.
    interface Commit {
        Bytes applyAt(long timestamp);
    }

    /// Makes a change that has a timestamp. The slot ends when the record is durable; then the
    /// commit may become visible. The lock is held.
    CommitSlot commit(OnStall onStall, AppendedBy by, Commit commit) {
        assert lock.isHeldByCurrentThread();
        try {
            CommitSlot slot = lane.begin(onStall);
            Bytes record = commit.applyAt(slot.timestamp());
            state.log().appended(writer.nextPosition(), record.length());
            switch (by) {
                case WAITER -> writer.appendAwaited(record, slot);
                case LOG -> writer.append(record, slot);
            }
            return slot;
        } catch (RuntimeException | Error e) {
            brokeOff(e);
            throw e;
        }
    }

    /// Makes a change for the record at the position that the function is given. The function
    /// changes the state and appends the record. The lock is held.
    <T> T change(LongFunction<T> change) {
        assert lock.isHeldByCurrentThread();
        try {
            return change.apply(writer.nextPosition());
        } catch (RuntimeException | Error e) {
            brokeOff(e);
            throw e;
        }
    }

    /// A change failed before its record was appended. State and log now differ, and a slot may
    /// never end. The cell takes no more writes, as after a log failure.
    private void brokeOff(Throwable e) {
        lane.fail(new LogException("a change was made and not logged: " + e, e));
    }

    /// Makes the change that a record describes. Returns the slices whose references to their blobs
    /// end once the record is durable. The lock is held.
    List<Slice> applyAndAppend(
            CellRecord record, CompletableFuture<@Nullable LogException> durable) {
        Bytes encoded = RecordCodec.encode(record);
        return change(
                position -> {
                    List<Slice> ended = state.apply(position, record);
                    append(encoded, durable::complete);
                    return ended;
                });
    }

    /// Appends the record of a change that is in the state. The lock is held; `ended` must not take
    /// it.
    void append(Bytes record, Consumer<@Nullable LogException> ended) {
        assert lock.isHeldByCurrentThread();
        state.log().appended(writer.nextPosition(), record.length());
        writer.append(
                record,
                (_, failure) -> {
                    if (failure != null) {
                        lane.fail(failure);
                    }
                    ended.accept(failure);
                });
    }

    /// Whether the log would take a record of this size without blocking.
    boolean hasRoom(int recordBytes) {
        return writer.hasRoom(recordBytes);
    }

    /// Lets this thread write and sync the queued records: see [LogWriter#help].
    void help() {
        writer.help();
    }

    /// Waits until the commit is visible. The lock is not held.
    CommitResult result(CommitSlot slot) {
        return result(slot, slot.await());
    }

    CommitResult result(CommitSlot slot, @Nullable LogException failure) {
        return failure == null ? new Done(slot.timestamp()) : new Lost(failed(failure));
    }

    String failed(LogException failure) {
        return "the log of cell " + cellId + " failed: " + failure.getMessage();
    }

    /// Waits until the record is durable; throws UNAVAILABLE if that failed. The lock is not held.
    void awaitDurable(CompletableFuture<@Nullable LogException> durable) {
        LogException failure = durable.join();
        if (failure != null) {
            throw new StatusException(Status.UNAVAILABLE, failed(failure));
        }
    }

    /// Takes the lock and runs a step under it. Returns, without the lock, when the record that
    /// completes the future is durable.
    <T> T durably(Function<CompletableFuture<@Nullable LogException>, T> step) {
        var durable = new CompletableFuture<@Nullable LogException>();
        T result;
        lock.lock();
        try {
            result = step.apply(durable);
        } finally {
            lock.unlock();
        }
        awaitDurable(durable);
        return result;
    }

    /// Applies and logs a record, and returns when it is durable. Then deletes the files that lost
    /// their last reference through it.
    void run(CellRecord record) {
        references.remove(durably(durable -> applyAndAppend(record, durable)));
    }

    /// Applies and logs a record about files that were written for this tablet, and returns when it
    /// is durable. If the tablet is gone, or was replaced by one with the same id, the files are
    /// deleted instead.
    void run(CellRecord record, HostedTablet tablet, List<Slice> written) {
        List<Slice> ended =
                durably(
                        durable -> {
                            if (state.hosted(tablet.tablet.id()) == tablet) {
                                return applyAndAppend(record, durable);
                            }
                            durable.complete(null);
                            return state.unwanted(written);
                        });
        references.remove(ended);
    }

    /// Continues as if a commit with this timestamp had been applied.
    void reached(long timestamp) {
        lock.lock();
        try {
            state.reached(timestamp);
        } finally {
            lock.unlock();
        }
    }

    /// Logs the state and trims the log before the first record that is still needed. Returns the
    /// size of the state in bytes.
    long checkpoint() {
        Checkpoint logged = durably(this::appendState);
        log.trim(logged.neededFrom);
        state.log().trimmed(logged.neededFrom);
        return logged.bytes;
    }

    private record Checkpoint(long neededFrom, long bytes) {}

    private Checkpoint appendState(CompletableFuture<@Nullable LogException> durable) {
        long from = writer.nextPosition();
        if (!state.transactions().isEmpty()) {
            append(RecordCodec.encode(state.transactions().save()), _ -> {});
        }
        long position = writer.nextPosition();
        Bytes saved = RecordCodec.encode(state.save(position));
        long neededFrom = Math.min(from, state.neededFrom(position));
        append(saved, durable::complete);
        return new Checkpoint(neededFrom, saved.length());
    }

    /// Whether no commit will become visible any more, because this or another cell's log has
    /// failed.
    boolean logFailed() {
        return timeline.failure() != null;
    }

    /// Throws UNAVAILABLE if the log of this or of another cell has failed. The request has then
    /// certainly not happened, unlike a commit that was in progress when the log failed.
    void refuseIfLogFailed() {
        LogException failure = timeline.failure();
        if (failure != null) {
            throw new StatusException(
                    Status.UNAVAILABLE,
                    "cell "
                            + cellId
                            + " takes no writes until the server is started again: "
                            + failure.getMessage());
        }
    }

    /// Throws UNAVAILABLE while the log of this or of another cell stalls. A stall ends without
    /// help.
    void refuseIfLogStalls() {
        Optional<String> stall = writer.stall().or(timeline::stalled);
        if (stall.isPresent()) {
            throw new StatusException(
                    Status.UNAVAILABLE,
                    "cell %d takes no writes for now: %s".formatted(cellId, stall.get()));
        }
    }

    /// Throws a [LogException] if another process has taken over the log.
    void checkNotFenced() {
        writer.checkNotFenced();
    }

    /// From now on a stalled log is given up, and every thread that waits for it gets an error.
    void endWhenStalled() {
        isEnding = true;
    }

    /// Waits for the appended records, unless the log stalls. The log itself belongs to its owner.
    @Override
    public void close() {
        endWhenStalled();
        writer.close();
    }
}
