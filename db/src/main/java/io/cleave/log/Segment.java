package io.cleave.log;

import io.cleave.base.CorruptionException;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/// One file of a [LocalLog]. Its name holds the position and the epoch of its header, in hex, so
/// that a listing of the folder shows the log: `00000000000003e8-00000002.log`.
record Segment(Path file, SegmentHeader header) {
    private static final String SUFFIX = ".log";

    long firstPosition() {
        return header.firstPosition();
    }

    /// Creates the file with its header, durable together with its name.
    static Segment create(Path dir, SegmentHeader header) throws IOException {
        Path file = dir.resolve(name(header));
        try (var channel =
                FileChannel.open(file, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE)) {
            ByteBuffer bytes = header.encode();
            while (bytes.hasRemaining()) {
                channel.write(bytes);
            }
            channel.force(true);
        }
        forceDir(dir);
        return new Segment(file, header);
    }

    static Segment open(Path file) throws IOException {
        SegmentHeader header = SegmentHeader.decode(file.toString(), readHeader(file));
        if (!file.getFileName().toString().equals(name(header))) {
            throw new CorruptionException(
                    file.toString(), 0, "the header belongs to " + name(header));
        }
        return new Segment(file, header);
    }

    /// The header is synced before anything follows it. So one that is not whole, at the end of the
    /// file, is of a segment that a crash kept from coming into being.
    static boolean isStillborn(Path file) throws IOException {
        return Files.size(file) <= SegmentHeader.BYTES && !SegmentHeader.isWhole(readHeader(file));
    }

    /// In the order of the log.
    static List<Path> list(Path dir) throws IOException {
        List<Path> found = new ArrayList<>();
        try (var files = Files.newDirectoryStream(dir, "*" + SUFFIX)) {
            files.forEach(found::add);
        }
        found.sort(Comparator.comparing(file -> file.getFileName().toString()));
        return found;
    }

    private static String name(SegmentHeader header) {
        return "%016x-%08x%s".formatted(header.firstPosition(), header.epoch(), SUFFIX);
    }

    private static ByteBuffer readHeader(Path file) throws IOException {
        var bytes = ByteBuffer.allocate(SegmentHeader.BYTES).order(ByteOrder.LITTLE_ENDIAN);
        try (var channel = FileChannel.open(file, StandardOpenOption.READ)) {
            while (bytes.hasRemaining() && channel.read(bytes) >= 0) {}
        }
        return bytes.flip();
    }

    /// Makes names in the folder durable: files created or deleted.
    static void forceDir(Path dir) throws IOException {
        try (var channel = FileChannel.open(dir, StandardOpenOption.READ)) {
            channel.force(true);
        }
    }
}
