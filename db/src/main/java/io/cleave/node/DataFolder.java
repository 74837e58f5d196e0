package io.cleave.node;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.OverlappingFileLockException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/// The folder a node keeps its data in. One process at a time holds it.
///
/// ```
/// FORMAT            the number of the folder's format, as text
/// LOCK              locked while a process uses the folder; holds its process id
/// cells/N/log       the log of cell N
/// cells/N/blobs     its table files
/// ```
final class DataFolder implements AutoCloseable {
    /// On disk. A folder of a greater number was written by a newer version.
    private static final int FORMAT = 1;

    private final Path folder;
    private final FileChannel lockFile;

    private DataFolder(Path folder, FileChannel lockFile) {
        this.folder = folder;
        this.lockFile = lockFile;
    }

    /// Takes the folder, making it if there is none. Touches nothing when it cannot.
    static DataFolder open(Path folder) throws StartException {
        checkFormat(folder);
        try {
            Files.createDirectories(folder);
        } catch (IOException e) {
            throw new StartException(
                    "cannot make the data folder "
                            + folder
                            + " ("
                            + reason(e)
                            + "): choose another with --data");
        }
        if (!Files.isWritable(folder)) {
            throw new StartException(
                    "cannot write to the data folder "
                            + folder
                            + ": change its permissions or choose another with --data");
        }
        FileChannel lockFile = lock(folder);
        try {
            Path format = folder.resolve("FORMAT");
            if (!Files.exists(format)) {
                Files.writeString(format, FORMAT + "\n");
            }
            return new DataFolder(folder, lockFile);
        } catch (IOException e) {
            throw new StartException(
                    "cannot write to the data folder " + folder + " (" + reason(e) + ")");
        }
    }

    Path log(long cellId) {
        return cell(cellId).resolve("log");
    }

    Path blobs(long cellId) {
        return cell(cellId).resolve("blobs");
    }

    @Override
    public void close() {
        try {
            lockFile.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private Path cell(long cellId) {
        return folder.resolve("cells").resolve(Long.toString(cellId));
    }

    private static void checkFormat(Path folder) throws StartException {
        if (Files.exists(folder) && !Files.isDirectory(folder)) {
            throw new StartException(
                    "the data folder " + folder + " is a file: choose another with --data");
        }
        Path format = folder.resolve("FORMAT");
        if (!Files.exists(format)) {
            return;
        }
        String text;
        try {
            text = Files.readString(format).strip();
        } catch (IOException e) {
            throw new StartException("cannot read " + format + " (" + reason(e) + ")");
        }
        int number;
        try {
            number = Integer.parseInt(text);
        } catch (NumberFormatException e) {
            throw new StartException(
                    folder + " is not a data folder of Cleave: its FORMAT says '" + text + "'");
        }
        if (number > FORMAT) {
            throw new StartException(
                    "the data folder "
                            + folder
                            + " has format "
                            + number
                            + ", and this version knows formats up to "
                            + FORMAT
                            + ": start it with the newer version that wrote it");
        }
    }

    private static FileChannel lock(Path folder) throws StartException {
        Path file = folder.resolve("LOCK");
        FileChannel channel;
        try {
            channel =
                    FileChannel.open(
                            file,
                            StandardOpenOption.CREATE,
                            StandardOpenOption.READ,
                            StandardOpenOption.WRITE);
        } catch (IOException e) {
            throw new StartException(
                    "cannot write to the data folder "
                            + folder
                            + " ("
                            + reason(e)
                            + "): change its permissions or choose another with --data");
        }
        try {
            if (channel.tryLock() != null) {
                channel.truncate(0);
                channel.write(
                        StandardCharsets.US_ASCII.encode(
                                Long.toString(ProcessHandle.current().pid())));
                return channel;
            }
        } catch (OverlappingFileLockException e) {
            // Another node of this process holds it: the same answer as for another process.
        } catch (IOException e) {
            close(channel);
            throw new StartException("cannot lock " + file + " (" + reason(e) + ")");
        }
        String holder = holder(channel);
        close(channel);
        throw new StartException(
                "the data folder "
                        + folder
                        + " is in use"
                        + holder
                        + ": stop that one, or choose another folder with --data");
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
            // It was opened to look at a lock; nothing was written through it.
        }
    }

    private static String reason(IOException e) {
        return e.getClass().getSimpleName() + ": " + e.getMessage();
    }
}
