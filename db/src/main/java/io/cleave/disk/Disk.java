package io.cleave.disk;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.List;

/// What a disk guarantees, and nothing more. Bytes are durable after [DiskFile#force], names after
/// [#forceFolder]. After a crash, any part of the other bytes and any of the other name changes may
/// be there, but a rename is atomic. After a failed force, the state of its bytes is unknown, and
/// another force tells nothing about them.
///
/// Threads: any; a [DiskFile] is appended to by one thread at a time.
public interface Disk {
    /// Creates a folder and its parents, with durable names. It is not an error if the folder
    /// exists.
    void createFolders(Path folder) throws IOException;

    /// The names of all files and folders in a folder, sorted.
    List<String> list(Path folder) throws IOException;

    boolean exists(Path file) throws IOException;

    /// Creates a file to append to; [java.nio.file.FileAlreadyExistsException] if it exists.
    DiskFile create(Path file) throws IOException;

    /// Opens a file to append to its end. An interrupt does not disturb operations on it, because a
    /// log is written by threads that may be interrupted.
    DiskFile openToAppend(Path file) throws IOException;

    /// Opens a file to read; [java.nio.file.NoSuchFileException] if it does not exist.
    DiskFile open(Path file) throws IOException;

    /// Maps all bytes of a file without copying them. They stay valid after the file is deleted, as
    /// long as the arena is open.
    MemorySegment map(Path file, Arena arena) throws IOException;

    /// Maps all bytes of a file; the mapping ends when it is unreachable.
    default MemorySegment map(Path file) throws IOException {
        return map(file, Arena.ofAuto());
    }

    /// Announces that `[offset, offset + length)` of a mapped file will be read next. Bytes that
    /// are not in memory are read from the disk in one request, without reading more than the
    /// range. The call does not wait for them.
    default void willRead(MemorySegment mapped, long offset, long length) {}

    /// A buffer to collect bytes before they are appended, of a kind that is written without a
    /// copy.
    default ByteBuffer newBuffer(int bytes) {
        return ByteBuffer.allocateDirect(bytes);
    }

    /// The free space of the file system that has the file; the greatest number if it is unknown.
    default long usableBytes(Path file) {
        return Long.MAX_VALUE;
    }

    /// Renames a file within its folder, replacing a file with that name.
    void rename(Path from, Path to) throws IOException;

    /// Deletes a file; returns whether it existed.
    boolean delete(Path file) throws IOException;

    /// Makes the names in a folder durable: files that were created, renamed or deleted.
    void forceFolder(Path folder) throws IOException;

    /// Reads a small file.
    default byte[] readAll(Path file) throws IOException {
        try (DiskFile open = open(file)) {
            var bytes = ByteBuffer.allocate(Math.toIntExact(open.size()));
            open.readFully(bytes, 0);
            return bytes.array();
        }
    }

    /// Atomically replaces a small file; the new one is durable when this returns. After a crash,
    /// the old or the new file is there, and possibly a leftover with `.fresh` appended to its
    /// name.
    default void replace(Path file, byte[] bytes) throws IOException {
        Path fresh = file.resolveSibling(file.getFileName() + ".fresh");
        delete(fresh);
        try (DiskFile writing = create(fresh)) {
            writing.append(ByteBuffer.wrap(bytes));
            writing.force();
        }
        rename(fresh, file);
        Path folder = file.getParent();
        if (folder != null) {
            forceFolder(folder);
        }
    }
}
