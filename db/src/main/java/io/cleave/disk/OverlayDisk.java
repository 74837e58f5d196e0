package io.cleave.disk;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/// A read-only view of another disk. The changes that opening a store makes to its files (cutting a
/// torn tail, removing leftovers of a crash) are visible through this object, but the files are not
/// changed. All other changes are refused.
public final class OverlayDisk implements Disk {
    private final Disk below;
    private final Set<Path> deleted = ConcurrentHashMap.newKeySet();

    /// The sizes of truncated files.
    private final Map<Path, Long> sizes = new ConcurrentHashMap<>();

    public OverlayDisk(Disk below) {
        this.below = below;
    }

    /// Does nothing: a missing folder appears empty.
    @Override
    public void createFolders(Path folder) {}

    @Override
    public List<String> list(Path folder) throws IOException {
        if (!below.exists(folder)) {
            return List.of();
        }
        return below.list(folder).stream()
                .filter(name -> !deleted.contains(folder.resolve(name)))
                .toList();
    }

    @Override
    public boolean exists(Path file) throws IOException {
        return !deleted.contains(file) && below.exists(file);
    }

    @Override
    public DiskFile create(Path file) throws IOException {
        throw refused(file);
    }

    @Override
    public DiskFile openToAppend(Path file) throws IOException {
        return open(file);
    }

    @Override
    public DiskFile open(Path file) throws IOException {
        if (deleted.contains(file)) {
            throw new NoSuchFileException(file.toString());
        }
        return new CutFile(file, below.open(file));
    }

    @Override
    public MemorySegment map(Path file, Arena arena) throws IOException {
        if (deleted.contains(file)) {
            throw new NoSuchFileException(file.toString());
        }
        MemorySegment whole = below.map(file, arena);
        return whole.asSlice(
                0, Math.min(whole.byteSize(), sizes.getOrDefault(file, Long.MAX_VALUE)));
    }

    @Override
    public void willRead(MemorySegment mapped, long offset, long length) {
        below.willRead(mapped, offset, length);
    }

    @Override
    public long usableBytes(Path file) {
        return below.usableBytes(file);
    }

    @Override
    public void rename(Path from, Path to) throws IOException {
        throw refused(from);
    }

    @Override
    public boolean delete(Path file) throws IOException {
        return below.exists(file) && deleted.add(file);
    }

    @Override
    public void forceFolder(Path folder) {}

    private static IOException refused(Path file) {
        return new IOException("nothing is written here: " + file);
    }

    private final class CutFile implements DiskFile {
        private final Path file;
        private final DiskFile whole;

        CutFile(Path file, DiskFile whole) {
            this.file = file;
            this.whole = whole;
        }

        @Override
        public long size() throws IOException {
            return Math.min(whole.size(), sizes.getOrDefault(file, Long.MAX_VALUE));
        }

        @Override
        public int read(ByteBuffer into, long offset) throws IOException {
            long left = size() - offset;
            if (left <= 0) {
                return -1;
            }
            int limit = into.limit();
            into.limit((int) Math.min(limit, into.position() + left));
            try {
                return whole.read(into, offset);
            } finally {
                into.limit(limit);
            }
        }

        @Override
        public void append(ByteBuffer bytes) throws IOException {
            throw refused(file);
        }

        @Override
        public void write(ByteBuffer bytes, long offset) throws IOException {
            throw refused(file);
        }

        @Override
        public void rewrite(ByteBuffer bytes, long offset) {}

        @Override
        public void truncate(long bytes) throws IOException {
            sizes.put(file, Math.min(size(), bytes));
        }

        @Override
        public void force() {}

        @Override
        public void close() throws IOException {
            whole.close();
        }
    }
}
