package io.cleave.disk;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.List;

/// What a disk promises, and no more than that: bytes are durable after [DiskFile#force], names
/// after [#forceFolder]. Of anything else a crash leaves a part, and of several names any; but a
/// rename happens or does not. After a force has failed, nothing is known of the bytes it was for,
/// and forcing again tells nothing.
///
/// Threads: any; one [DiskFile] is appended to by one thread at a time.
public interface Disk {
    /// Makes a folder and those above it, with durable names. One that is there is no error.
    void createFolders(Path folder) throws IOException;

    /// The names of all that lies in a folder, sorted.
    List<String> list(Path folder) throws IOException;

    boolean exists(Path file) throws IOException;

    /// A new file to append to; [java.nio.file.FileAlreadyExistsException] if the name is taken.
    DiskFile create(Path file) throws IOException;

    /// A file to append to, behind what is in it. An interrupt does not disturb what is done with
    /// it: a log is written by threads that others may interrupt.
    DiskFile openToAppend(Path file) throws IOException;

    /// A file to read; [java.nio.file.NoSuchFileException] if there is none.
    DiskFile open(Path file) throws IOException;

    /// All bytes of a file, not copied. They stay good after the file's name is gone, for as long
    /// as the arena lives.
    MemorySegment map(Path file, Arena arena) throws IOException;

    /// The same, for as long as anyone has them.
    default MemorySegment map(Path file) throws IOException {
        return map(file, Arena.ofAuto());
    }

    /// Says that `[offset, offset + length)` of a mapped file is read next. What is not in memory
    /// is read from the disk at once, in one piece and not more of it; nobody waits for it here.
    default void willRead(MemorySegment mapped, long offset, long length) {}

    /// A buffer to gather bytes in before they are appended, of the kind that is written without a
    /// copy.
    default ByteBuffer newBuffer(int bytes) {
        return ByteBuffer.allocateDirect(bytes);
    }

    /// How many bytes there is room for where a file is; more than there will ever be if nobody
    /// knows.
    default long usableBytes(Path file) {
        return Long.MAX_VALUE;
    }

    /// Gives a file another name in the same folder, in place of what had it before.
    void rename(Path from, Path to) throws IOException;

    /// Whether there was one to delete.
    boolean delete(Path file) throws IOException;

    /// Makes the names in a folder durable: files created, renamed or deleted.
    void forceFolder(Path folder) throws IOException;

    /// All bytes of a small file.
    default byte[] readAll(Path file) throws IOException {
        try (DiskFile open = open(file)) {
            var bytes = ByteBuffer.allocate(Math.toIntExact(open.size()));
            open.readFully(bytes, 0);
            return bytes.array();
        }
    }

    /// Puts a small file in the place of another of its name, durable when this returns. A crash
    /// leaves the one or the other, and perhaps `file` with `.fresh` behind its name.
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
