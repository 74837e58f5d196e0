package io.cleave.log;

import com.google.errorprone.annotations.concurrent.GuardedBy;

import io.cleave.base.Bytes;
import io.cleave.base.CorruptionException;
import io.cleave.base.Env;
import io.cleave.disk.Disk;
import io.cleave.disk.FileDisk;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;

/// A log as segment files of one folder; docs/formats/log.md tells how they look.
///
/// Opening reads the last segment and ends it cleanly ([SegmentTail]); earlier ones were complete
/// before the last was begun, so damage in them is corruption, found when they are read. Each
/// writer begins a segment of its own.
///
/// The folder must belong to this object alone; the node's lock on its data folder sees to that.
public final class LocalLog implements Log {
    private final Disk disk;
    private final Path dir;
    private final Env env;
    private final LogOptions options;
    private final Consumer<Throwable> fatal;

    /// Held while a writer takes over from another; taken before `lock`.
    private final ReentrantLock opening = new ReentrantLock();

    /// Held while the list of segments changes; never by an append.
    private final ReentrantLock lock = new ReentrantLock();

    /// Held while segments are deleted; taken before `lock`.
    private final ReentrantLock trimming = new ReentrantLock();

    /// No longer part of the log, and perhaps still there; the oldest first.
    @GuardedBy("trimming")
    private final Deque<Segment> dropped = new ArrayDeque<>();

    @GuardedBy("trimming")
    private boolean trimForceFailed;

    /// In the order of the log; changed under the lock, by replacing the list.
    private volatile List<Segment> segments;

    private final DurableEnd durable;

    /// Of the opening.
    private final List<LogLoss> losses = new ArrayList<>();

    @GuardedBy("opening")
    private @Nullable GroupCommit writer;

    @GuardedBy("opening")
    private long epoch;

    /// `fatal` is told when writing or syncing failed: nothing can be appended until the process
    /// has been started anew.
    public LocalLog(Path dir, Env env, LogOptions options, Consumer<Throwable> fatal) {
        this(new FileDisk(), dir, env, options, fatal);
    }

    /// As above, on a disk of one's own.
    public LocalLog(Disk disk, Path dir, Env env, LogOptions options, Consumer<Throwable> fatal) {
        this(disk, dir, env, options, fatal, OnDamage.REFUSE);
    }

    public LocalLog(
            Disk disk,
            Path dir,
            Env env,
            LogOptions options,
            Consumer<Throwable> fatal,
            OnDamage onDamage) {
        this.disk = disk;
        this.dir = dir;
        this.env = env;
        durable = new DurableEnd(env);
        this.options = options;
        this.fatal = fatal;
        try {
            disk.createFolders(dir);
            if (onDamage == OnDamage.ACCEPT_LOSS) {
                losses.addAll(new LogSalvage(disk, dir).run());
            }
            List<Path> files = new ArrayList<>(Segment.list(disk, dir));
            boolean lastIsStillborn =
                    !files.isEmpty() && Segment.isStillborn(disk, files.getLast());
            Path stillborn = lastIsStillborn ? files.removeLast() : null;
            segments = openSegments(disk, files);
            if (!segments.isEmpty()) {
                long followedAt = stillborn == null ? -1 : Segment.named(stillborn).firstPosition();
                var recovered =
                        new SegmentTail(disk, segments.getLast(), onDamage).recover(followedAt);
                durable.moveTo(recovered.nextPosition());
                if (recovered.torn() != null) {
                    losses.add(recovered.torn());
                }
                epoch = segments.getLast().header().epoch();
            }
            if (stillborn != null) {
                disk.delete(stillborn);
                disk.forceFolder(dir);
            }
        } catch (IOException e) {
            throw new UncheckedIOException("cannot open the log in " + dir, e);
        }
    }

    private static List<Segment> openSegments(Disk disk, List<Path> files) throws IOException {
        List<Segment> opened = new ArrayList<>();
        for (Path file : files) {
            Segment segment = Segment.open(disk, file);
            if (!opened.isEmpty() && segment.header().epoch() < opened.getLast().header().epoch()) {
                throw new CorruptionException(file.toString(), 0, "older than the segment before");
            }
            opened.add(segment);
        }
        return List.copyOf(opened);
    }

    @Override
    public LogWriter openWriter() {
        opening.lock();
        try {
            if (writer != null) {
                writer.fence();
                refuseIfFailed(writer);
            }
            epoch++;
            long next = durable.position();
            var journal = new Segments(beginSegment(epoch, next), epoch);
            var opened = new GroupCommit(env, journal, epoch, next, options.queueBytes(), fatal);
            writer = opened;
            return opened.start();
        } catch (IOException e) {
            throw new UncheckedIOException("cannot open the log in " + dir + " for writing", e);
        } finally {
            opening.unlock();
        }
    }

    private void refuseIfFailed(GroupCommit earlier) {
        if (earlier.failed()) {
            throw new LogException("the log in " + dir + " failed; it must be opened anew", null);
        }
    }

    /// Creates the segment and, when the one before holds nothing, takes its place.
    private Segment beginSegment(long writerEpoch, long firstPosition) throws IOException {
        lock.lock();
        try {
            Segment begun =
                    Segment.create(disk, dir, new SegmentHeader(writerEpoch, firstPosition));
            List<Segment> all = new ArrayList<>(segments);
            if (!all.isEmpty() && all.getLast().firstPosition() == firstPosition) {
                disk.delete(all.removeLast().file());
            }
            all.add(begun);
            segments = List.copyOf(all);
            return begun;
        } finally {
            lock.unlock();
        }
    }

    /// Begins an empty segment behind the last record, so that this one is no longer in the last
    /// segment: damage to it can then be told from a torn write.
    @GuardedBy("opening")
    private void endCleanly(GroupCommit closed) {
        try {
            if (!closed.failed() && segments.getLast().firstPosition() < durable.position()) {
                beginSegment(epoch, durable.position());
            }
        } catch (IOException e) {
            // All records are durable. The log is as after a crash, and that is no loss.
        }
    }

    /// What one writer writes to: its own segments, one after the other.
    private final class Segments implements Journal {
        private final long writerEpoch;
        private SegmentWriter current;

        Segments(Segment first, long writerEpoch) throws IOException {
            this.writerEpoch = writerEpoch;
            current = writerOf(first);
        }

        private SegmentWriter writerOf(Segment segment) throws IOException {
            return new SegmentWriter(disk, segment, options.segmentBytes());
        }

        @Override
        public void commit(long firstPosition, List<Bytes> records) throws IOException {
            if (isFull()) {
                current.close();
                current = writerOf(nextSegment(firstPosition));
            }
            current.commit(firstPosition, records);
            durable.moveTo(firstPosition + records.size());
        }

        /// What is left of a segment that could not be begun is removed: it holds nothing.
        private Segment nextSegment(long firstPosition) throws IOException {
            try {
                return beginSegment(writerEpoch, firstPosition);
            } catch (IOException e) {
                Path begun = Segment.file(dir, new SegmentHeader(writerEpoch, firstPosition));
                if (!NoRoomException.isReason(e, disk, dir)) {
                    throw e;
                }
                disk.delete(begun);
                throw new NoRoomException(e);
            }
        }

        @Override
        public boolean hasMarks() {
            return true;
        }

        @Override
        public void mark(long syncedEnd) throws IOException {
            current.mark(syncedEnd);
        }

        private boolean isFull() {
            return current.segmentBytes() >= options.segmentBytes();
        }

        /// Appending is; to begin a segment is not, as it opens files and folders.
        @Override
        public boolean isUninterruptible() {
            return !isFull();
        }

        @Override
        public void close() throws IOException {
            current.close();
        }
    }

    @Override
    public String name() {
        return dir.toString();
    }

    @Override
    public List<LogLoss> losses() {
        return List.copyOf(losses);
    }

    @Override
    public LogCursor read(long from) {
        return new LocalCursor(this, from);
    }

    Disk disk() {
        return disk;
    }

    /// The segment in which this position is or will be.
    Segment segmentOf(long position) {
        List<Segment> all = segments;
        for (int index = all.size() - 1; index >= 0; index--) {
            if (all.get(index).firstPosition() <= position) {
                return all.get(index);
            }
        }
        throw new TrimmedException(position, firstPosition());
    }

    @Override
    public void trim(long before) {
        trimming.lock();
        try {
            dropped.addAll(dropSegments(before));
            while (!dropped.isEmpty()) {
                deleteOldest();
            }
        } catch (IOException e) {
            throw new UncheckedIOException("cannot trim the log in " + dir, e);
        } finally {
            trimming.unlock();
        }
    }

    /// One by one and in order, also when one failed: a crash that undid a deletion and not the
    /// next one would leave a gap. After a failed force nobody knows which of them are durable.
    @GuardedBy("trimming")
    private void deleteOldest() throws IOException {
        if (trimForceFailed) {
            throw new IOException("the folder could not be synced; start the server again");
        }
        disk.delete(dropped.getFirst().file());
        trimForceFailed = true;
        disk.forceFolder(dir);
        trimForceFailed = false;
        dropped.removeFirst();
    }

    /// Forgets them before they are deleted: a reader that comes now gets an answer, not a missing
    /// file.
    private List<Segment> dropSegments(long before) {
        lock.lock();
        try {
            int count = 0;
            while (count < segments.size() - 1
                    && segments.get(count + 1).firstPosition() <= before) {
                count++;
            }
            List<Segment> unneeded = segments.subList(0, count);
            segments = List.copyOf(segments.subList(count, segments.size()));
            return unneeded;
        } finally {
            lock.unlock();
        }
    }

    @Override
    public long firstPosition() {
        List<Segment> all = segments;
        return all.isEmpty() ? 0 : all.getFirst().firstPosition();
    }

    @Override
    public long nextPosition() {
        return durable.position();
    }

    @Override
    public boolean awaitDurable(long position, Duration timeout) throws InterruptedException {
        return durable.await(position, timeout);
    }

    @Override
    public void close() {
        opening.lock();
        try {
            if (writer != null) {
                writer.close();
                endCleanly(writer);
            }
        } finally {
            opening.unlock();
        }
    }
}
