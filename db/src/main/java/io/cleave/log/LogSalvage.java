package io.cleave.log;

import io.cleave.disk.Disk;

import org.jspecify.annotations.Nullable;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/// Reads a whole log before it is opened, and rewrites damaged segments. Intact records are kept;
/// records that cannot be read are replaced by a hole. A torn tail is left to [SegmentTail].
///
/// A segment is copied to the folder `lost` before it is replaced. The replacement is atomic: after
/// a crash, the old or the new file is there, and the next start with the same option continues.
final class LogSalvage {
    private final Disk disk;
    private final Path dir;
    private final List<LogLoss> losses = new ArrayList<>();

    LogSalvage(Disk disk, Path dir) {
        this.disk = disk;
        this.dir = dir;
    }

    /// Repairs the log and returns what was given up.
    List<LogLoss> run() throws IOException {
        List<Path> files = Segment.list(disk, dir);
        for (int index = 0; index < files.size(); index++) {
            boolean isLast = index == files.size() - 1;
            if (!isLast || !Segment.isStillborn(disk, files.get(index))) {
                long end = isLast ? -1 : Segment.named(files.get(index + 1)).firstPosition();
                salvage(files.get(index), end);
            }
        }
        return losses;
    }

    /// `end` is the first position of the next segment; -1 if there is none.
    private void salvage(Path file, long end) throws IOException {
        byte[] before = disk.readAll(file);
        byte @Nullable [] after = new Pass(file, before, end).run();
        if (after != null) {
            new LostBytes(disk, dir).keep(file, 0, ByteBuffer.wrap(before));
            disk.replace(file, after);
        }
    }

    /// Repairs one segment.
    private final class Pass {
        private final Path file;
        private final byte[] before;
        private final ByteBuffer bytes;
        private final long end;
        private final ByteArrayOutputStream after = new ByteArrayOutputStream();
        private boolean isChanged;
        private int offset = SegmentHeader.BYTES;
        private long position;

        Pass(Path file, byte[] before, long end) {
            this.file = file;
            this.before = before;
            this.end = end;
            bytes = ByteBuffer.wrap(before).order(ByteOrder.LITTLE_ENDIAN);
            position = Segment.named(file).firstPosition();
        }

        /// The new bytes of the segment; null if nothing has to change.
        byte @Nullable [] run() {
            writeHeader();
            boolean goesOn = true;
            while (goesOn) {
                goesOn = isExpected(offset) ? keep() : skip();
            }
            return isChanged ? after.toByteArray() : null;
        }

        /// Always writes the current format, since the old one has no holes. A segment of a newer
        /// format must not be changed.
        private void writeHeader() {
            SegmentHeader named = Segment.named(file);
            if (!SegmentHeader.isWhole(bytes)
                    || !SegmentHeader.decode(file.toString(), bytes).equals(named)) {
                losses.add(new LogLoss.Header(file.toString()));
                isChanged = true;
            }
            after.writeBytes(named.encode().array());
        }

        /// Whether the next frame is at this offset.
        private boolean isExpected(int at) {
            return RecordHeader.isWhole(bytes, at, before.length)
                    && (length(at) == RecordHeader.HOLE
                            ? position(at) > position
                            : position(at) == position);
        }

        private boolean keep() {
            int length = length(offset);
            after.write(before, offset, RecordHeader.frameBytes(length));
            position = RecordHeader.isRecord(length) ? position + 1 : position(offset);
            offset += RecordHeader.frameBytes(length);
            return true;
        }

        /// Skips a bad frame that was once synced, and writes a hole for it. Returns false at the
        /// end of the segment.
        private boolean skip() {
            int from = Math.min(offset, before.length);
            ByteBuffer rest =
                    bytes.slice(from, before.length - from).order(ByteOrder.LITTLE_ENDIAN);
            if (SegmentTail.isBehindMark(rest, RecordHeader.BYTES, position)) {
                losses.add(new LogLoss.Mark(file.toString(), offset));
                isChanged = true;
                offset += RecordHeader.BYTES;
                return true;
            }
            long synced = Math.max(end, SegmentTail.syncedEnd(rest, position));
            if (synced <= position) {
                writeRest(from);
                return false;
            }
            int next = nextFrame();
            long to = next < 0 ? synced : position(next);
            losses.add(new LogLoss.Hole(file.toString(), offset, position, to));
            isChanged = true;
            var hole = ByteBuffer.allocate(RecordHeader.BYTES).order(ByteOrder.LITTLE_ENDIAN);
            RecordHeader.write(hole, RecordHeader.HOLE, to);
            after.writeBytes(hole.array());
            position = to;
            offset = next < 0 ? before.length : next;
            return next >= 0;
        }

        /// Keeps a torn tail. Only the last segment can have one.
        private void writeRest(int from) {
            if (end < 0) {
                after.write(before, from, before.length - from);
            } else if (from < before.length) {
                isChanged = true;
            }
        }

        /// The offset of the next intact frame after the bad one; -1 if there is none.
        private int nextFrame() {
            long most = position + before.length / RecordHeader.BYTES + 1L;
            for (int at = offset + 1; at + RecordHeader.BYTES <= before.length; at++) {
                long found = position(at);
                if (found > position
                        && found <= most
                        && RecordHeader.isWhole(bytes, at, before.length)) {
                    return at;
                }
            }
            return -1;
        }

        private int length(int at) {
            return bytes.getInt(at + RecordHeader.LENGTH);
        }

        private long position(int at) {
            return bytes.getLong(at + RecordHeader.POSITION);
        }
    }
}
