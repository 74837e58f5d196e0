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
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;

/// A log stored as segment files in one folder. The format is described in docs/formats/log.md.
///
/// Opening the log reads the last segment and repairs its end ([SegmentTail]). Earlier segments
/// were complete before the last one was started, so damage in them is corruption, which is found
/// when they are read. Each writer starts a new segment.
///
/// The folder must be used by this object only; the node's lock on its data folder ensures that.
public final class LocalLog extends GroupCommitLog {
    private final Disk disk;
    private final Path dir;
    private final Env env;
    private final LogOptions options;
    private final Consumer<Throwable> fatal;

    /// Held while the list of segments changes; never by an append. Taken after `opening`.
    private final ReentrantLock lock = new ReentrantLock();

    /// Held while segments are deleted; taken before `lock`.
    private final ReentrantLock trimming = new ReentrantLock();

    /// Segments that were removed from the log and whose files may still exist; the oldest first.
    @GuardedBy("trimming")
    private final Deque<Segment> dropped = new ArrayDeque<>();

    @GuardedBy("trimming")
    private boolean trimForceFailed;

    /// In log order; replaced as a whole, under the lock.
    private volatile List<Segment> segments;

    /// What was lost when the log was opened.
    private final List<LogLoss> losses = new ArrayList<>();

    @GuardedBy("opening")
    private long epoch;

    /// `fatal` is called when a write or a sync failed. After that, nothing can be appended until
    /// the process is restarted.
    public LocalLog(Path dir, Env env, LogOptions options, Consumer<Throwable> fatal) {
        this(new FileDisk(), dir, env, options, fatal);
    }

    /// Opens a log on the given disk.
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
        super(env);
        this.disk = disk;
        this.dir = dir;
        this.env = env;
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
            if (losses.isEmpty() && new LostBytes(disk, dir).isUnsettled()) {
                losses.add(new LogLoss.Earlier(dir.toString()));
            }
        } catch (IOException e) {
            throw new UncheckedIOException("cannot open the log in " + dir, e);
        }
    }

    /// Removes a log that is not open. What was kept for the operator stays. It is durably gone
    /// when this returns. After a crash a part of the log may be left; then this is called again.
    public static void remove(Disk disk, Path dir) throws IOException {
        if (!disk.exists(dir)) {
            return;
        }
        for (String name : disk.list(dir)) {
            if (!name.equals(LostBytes.FOLDER)) {
                disk.delete(dir.resolve(name));
            }
        }
        disk.forceFolder(dir);
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
    @GuardedBy("opening")
    GroupCommit newWriter(@Nullable GroupCommit earlier, long next) {
        if (earlier != null) {
            refuseIfFailed(earlier);
        }
        epoch++;
        try {
            var journal = new Segments(beginSegment(epoch, next), epoch);
            return new GroupCommit(env, journal, epoch, next, options.queueBytes(), fatal);
        } catch (IOException e) {
            throw new UncheckedIOException("cannot open the log in " + dir + " for writing", e);
        }
    }

    private void refuseIfFailed(GroupCommit earlier) {
        if (earlier.failed()) {
            throw new LogException("the log in " + dir + " failed; restart the server", null);
        }
    }

    /// Creates a segment. If the segment before it has no records, it is deleted.
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

    /// Starts an empty segment after the last record, so that this record is not in the last
    /// segment. Damage to it can then be distinguished from a torn write.
    @Override
    @GuardedBy("opening")
    void end(GroupCommit closed) {
        try {
            if (!closed.failed() && segments.getLast().firstPosition() < durable.position()) {
                beginSegment(epoch, durable.position());
            }
        } catch (IOException e) {
            // All records are durable. The next start finds the log as after a crash, and loses
            // nothing.
        }
    }

    /// The segments of one writer.
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

        /// If there is no room for a new segment, the incomplete file is deleted; it has no
        /// records.
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

        /// Appending to a segment cannot be interrupted; starting one can, since it opens files and
        /// folders.
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
    public void settleLosses() {
        try {
            new LostBytes(disk, dir).settle();
        } catch (IOException e) {
            throw new UncheckedIOException("cannot write to the log's folder " + dir, e);
        }
    }

    @Override
    public LogCursor read(long from) {
        return new LocalCursor(this, from);
    }

    Disk disk() {
        return disk;
    }

    /// The segment that has, or will have, this position.
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

    /// Deletes the segments one by one and in order, also after a failure. If a crash could undo
    /// one deletion but not the next, the log would have a gap. After a failed force it is unknown
    /// which deletions are durable.
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

    /// Removes the segments from the list before their files are deleted, so that a new reader gets
    /// a `TrimmedException` and not a missing file.
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
}
