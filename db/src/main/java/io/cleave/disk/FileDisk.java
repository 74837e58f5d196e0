package io.cleave.disk;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileChannel.MapMode;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Deque;
import java.util.List;
import java.util.Set;

/// The file system of the machine. New folders and files are accessible only to their owner:
/// folders have mode 0700, files 0600.
public final class FileDisk implements Disk {
    private static final FileAttribute<?>[] FOLDER_RIGHTS = rights("rwx------");
    private static final FileAttribute<?>[] FILE_RIGHTS = rights("rw-------");

    /// Permissions for the owner only, if the file system supports them.
    private static FileAttribute<?>[] rights(String rights) {
        return FileSystems.getDefault().supportedFileAttributeViews().contains("posix")
                ? new FileAttribute<?>[] {
                    PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString(rights))
                }
                : new FileAttribute<?>[0];
    }

    @Override
    public void createFolders(Path folder) throws IOException {
        Deque<Path> missing = new ArrayDeque<>();
        Path above = folder.toAbsolutePath();
        while (above != null && !Files.exists(above)) {
            missing.push(above);
            above = above.getParent();
        }
        for (Path created : missing) {
            Files.createDirectories(created, FOLDER_RIGHTS);
            Path parent = created.getParent();
            if (parent != null) {
                forceFolder(parent);
            }
        }
        // Fails with a clear message if the path is not a folder.
        Files.createDirectories(folder);
    }

    @Override
    public List<String> list(Path folder) throws IOException {
        List<String> names = new ArrayList<>();
        try (var files = Files.newDirectoryStream(folder)) {
            files.forEach(file -> names.add(file.getFileName().toString()));
        }
        Collections.sort(names);
        return names;
    }

    @Override
    public boolean exists(Path file) {
        return Files.exists(file);
    }

    @Override
    public DiskFile create(Path file) throws IOException {
        return new Channel(
                FileChannel.open(
                        file,
                        Set.of(StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE),
                        FILE_RIGHTS));
    }

    @Override
    public DiskFile openToAppend(Path file) throws IOException {
        return AppendedFile.open(file);
    }

    @Override
    public DiskFile open(Path file) throws IOException {
        return new Channel(FileChannel.open(file, StandardOpenOption.READ));
    }

    @Override
    public MemorySegment map(Path file, Arena arena) throws IOException {
        try (var channel = FileChannel.open(file, StandardOpenOption.READ)) {
            return channel.map(MapMode.READ_ONLY, 0, channel.size(), arena);
        }
    }

    @Override
    public void willRead(MemorySegment mapped, long offset, long length) {
        PageHints.LOADED.ifPresent(hints -> hints.willRead(mapped, offset, length));
    }

    @Override
    public long usableBytes(Path file) {
        try {
            return Files.getFileStore(file).getUsableSpace();
        } catch (IOException e) {
            return Long.MAX_VALUE;
        }
    }

    @Override
    public void rename(Path from, Path to) throws IOException {
        Files.move(from, to, StandardCopyOption.ATOMIC_MOVE);
    }

    @Override
    public boolean delete(Path file) throws IOException {
        return Files.deleteIfExists(file);
    }

    @Override
    public void forceFolder(Path folder) throws IOException {
        try (var channel = FileChannel.open(folder, StandardOpenOption.READ)) {
            channel.force(true);
        }
    }

    private record Channel(FileChannel channel) implements DiskFile {
        @Override
        public long size() throws IOException {
            return channel.size();
        }

        @Override
        public int read(ByteBuffer into, long offset) throws IOException {
            return channel.read(into, offset);
        }

        @Override
        public void append(ByteBuffer bytes) throws IOException {
            while (bytes.hasRemaining()) {
                channel.write(bytes);
            }
        }

        @Override
        public void write(ByteBuffer bytes, long offset) throws IOException {
            long at = offset;
            while (bytes.hasRemaining()) {
                at += channel.write(bytes, at);
            }
        }

        @Override
        public void truncate(long bytes) throws IOException {
            // Also moves the channel's position back to the new end, where the next bytes go.
            channel.truncate(bytes);
        }

        /// Without metadata: the length of the file is still forced, its timestamps are not. So the
        /// disk writes once and not twice.
        @Override
        public void force() throws IOException {
            channel.force(false);
        }

        @Override
        public void close() throws IOException {
            channel.close();
        }
    }
}
