package io.cleave.log;

import io.cleave.base.Check;
import io.cleave.base.CorruptionException;
import io.cleave.disk.Disk;
import io.cleave.disk.DiskFile;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// One file of a [LocalLog]. Its name has the position and the epoch of its header, in hex, so that
/// a directory listing shows the log: `00000000000003e8-00000002.log`. Files with other names do
/// not belong to the log, and are ignored.
record Segment(Path file, SegmentHeader header) {
    private static final Pattern NAME = Pattern.compile("([0-9a-f]{16})-([0-9a-f]{8,16})\\.log");

    long firstPosition() {
        return header.firstPosition();
    }

    /// The folder of the log.
    Path folder() {
        return Objects.requireNonNull(file.getParent());
    }

    /// The header of a segment, according to the file's name.
    static SegmentHeader named(Path file) {
        Matcher parts = NAME.matcher(file.getFileName().toString());
        Check.that(parts.matches(), "%s is no segment", file);
        return new SegmentHeader(
                Long.parseUnsignedLong(parts.group(2), 16),
                Long.parseUnsignedLong(parts.group(1), 16));
    }

    /// The path of the segment with this header.
    static Path file(Path dir, SegmentHeader header) {
        return dir.resolve(name(header));
    }

    /// Creates the file with its header. Both the header and the file name are durable when this
    /// returns.
    static Segment create(Disk disk, Path dir, SegmentHeader header) throws IOException {
        Path file = file(dir, header);
        try (DiskFile writing = disk.create(file)) {
            writing.append(header.encode());
            writing.force();
        }
        disk.forceFolder(dir);
        return new Segment(file, header);
    }

    static Segment open(Disk disk, Path file) throws IOException {
        SegmentHeader header = SegmentHeader.decode(file.toString(), readHeader(disk, file));
        if (!file.getFileName().toString().equals(name(header))) {
            throw new CorruptionException(
                    file.toString(), 0, "the header belongs to " + name(header));
        }
        return new Segment(file, header);
    }

    /// Whether a crash interrupted the creation of the segment. The header is synced before
    /// anything follows it, so a file with an incomplete header, and nothing after it, never had
    /// records.
    static boolean isStillborn(Disk disk, Path file) throws IOException {
        try (DiskFile open = disk.open(file)) {
            return open.size() <= SegmentHeader.BYTES
                    && !SegmentHeader.isWhole(readHeader(disk, file));
        }
    }

    /// The segment files in log order.
    static List<Path> list(Disk disk, Path dir) throws IOException {
        return disk.list(dir).stream()
                .filter(name -> NAME.matcher(name).matches())
                .map(dir::resolve)
                .toList();
    }

    private static String name(SegmentHeader header) {
        return "%016x-%08x.log".formatted(header.firstPosition(), header.epoch());
    }

    private static ByteBuffer readHeader(Disk disk, Path file) throws IOException {
        var bytes = ByteBuffer.allocate(SegmentHeader.BYTES).order(ByteOrder.LITTLE_ENDIAN);
        try (DiskFile open = disk.open(file)) {
            open.readFully(bytes, 0);
        }
        return bytes.flip();
    }
}
