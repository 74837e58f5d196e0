package io.cleave.node;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.OverlappingFileLockException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/// The lock on a folder that only this process uses. The folder's file `LOCK` is locked and holds
/// the process id.
final class FolderLock implements AutoCloseable {
    static final String NAME = "LOCK";

    private final FileChannel channel;

    private FolderLock(FileChannel channel) {
        this.channel = channel;
    }

    /// `what` and `option` are for messages: the kind of folder, and the option that chooses
    /// another.
    static FolderLock take(Path folder, String what, String option) throws StartException {
        Path file = folder.resolve(NAME);
        FileChannel channel;
        try {
            channel =
                    FileChannel.open(
                            file,
                            StandardOpenOption.CREATE,
                            StandardOpenOption.READ,
                            StandardOpenOption.WRITE);
            FolderRights.narrowFile(file);
        } catch (IOException e) {
            throw new StartException(
                    "cannot write to %s %s (%s): change its permissions or choose another with %s"
                            .formatted(what, folder, StartException.reason(e), option));
        }
        try {
            if (channel.tryLock() != null) {
                channel.truncate(0);
                channel.write(
                        StandardCharsets.US_ASCII.encode(
                                Long.toString(ProcessHandle.current().pid())));
                return new FolderLock(channel);
            }
        } catch (OverlappingFileLockException e) {
            // Another node of this process holds the lock; handled like another process.
        } catch (IOException e) {
            close(channel);
            throw new StartException("cannot lock " + file + " (" + StartException.reason(e) + ")");
        }
        String holder = holder(channel);
        close(channel);
        throw new StartException(
                "%s %s is in use%s: stop that server, or choose another folder with %s"
                        .formatted(what, folder, holder, option));
    }

    /// Takes a shared lock for reading. It excludes servers but not other readers, and writes
    /// nothing. Null if the folder has no lock file, which means that it was never in use.
    static @Nullable FolderLock share(Path folder) throws StartException {
        Path file = folder.resolve(NAME);
        if (!Files.exists(file)) {
            return null;
        }
        try {
            var channel = FileChannel.open(file, StandardOpenOption.READ);
            try {
                if (channel.tryLock(0, Long.MAX_VALUE, true) != null) {
                    return new FolderLock(channel);
                }
            } catch (OverlappingFileLockException e) {
                // A node of this process holds the lock; handled like another process.
            }
            String holder = holder(channel);
            channel.close();
            throw new StartException(
                    "the folder %s is in use%s: stop that server first".formatted(folder, holder));
        } catch (IOException e) {
            throw new StartException("cannot lock " + file + " (" + StartException.reason(e) + ")");
        }
    }

    @Override
    public void close() {
        try {
            channel.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static String holder(FileChannel channel) {
        try {
            var pid = ByteBuffer.allocate(20);
            int length = channel.read(pid, 0);
            return length <= 0
                    ? ""
                    : " by process "
                            + new String(pid.array(), 0, length, StandardCharsets.US_ASCII);
        } catch (IOException e) {
            return "";
        }
    }

    private static void close(FileChannel channel) {
        try {
            channel.close();
        } catch (IOException e) {
            // Nothing was written through this channel.
        }
    }
}
