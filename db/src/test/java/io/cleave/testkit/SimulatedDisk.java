package io.cleave.testkit;

import io.cleave.disk.Disk;
import io.cleave.disk.DiskFile;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;

/// A disk that knows what was forced and what was only written, and keeps as little of the latter
/// as a real one may.
///
/// Everything that changes it is a *point*, numbered from 0. A test counts the points of a run, and
/// then runs again with the power going off at one of them ([#powerOffAt]) or with an error there
/// ([#failAt]); [#crash] is the disk that the next process finds.
public final class SimulatedDisk implements Disk {
    /// What is done at a point.
    public enum Point {
        CREATE,
        APPEND,
        FORCE,
        TRUNCATE,
        RENAME,
        DELETE,
        FORCE_FOLDER
    }

    /// A change of names that a crash takes back or not, as one.
    private record NameChange(@Nullable Path gone, @Nullable Path named, SimulatedBytes bytes) {
        boolean isIn(Path folder) {
            Path name = gone == null ? named : gone;
            return name != null && folder.equals(name.getParent());
        }

        void applyTo(Map<Path, SimulatedBytes> names) {
            if (gone != null) {
                names.remove(gone);
            }
            if (named != null) {
                names.put(named, bytes);
            }
        }
    }

    /// What the disk is like at each point. Asked before the point is reached, without any lock, by
    /// the thread that wants it done.
    public interface Weather {
        /// Returns when the disk comes to it; throws when it fails.
        void await(Point point, Path file) throws IOException;
    }

    private static final long NEVER = Long.MAX_VALUE;

    private final ReentrantLock lock = new ReentrantLock();

    // All under the lock.
    private final Set<Path> folders = new TreeSet<>();
    private final Map<Path, SimulatedBytes> names = new TreeMap<>();
    private final Map<Path, SimulatedBytes> durableNames = new TreeMap<>();
    private final List<NameChange> pending = new ArrayList<>();
    private final List<Point> trace = new ArrayList<>();
    private boolean off;
    private boolean lies;
    private long powerOffAt = NEVER;
    private long failAt = NEVER;
    private long freeBytes = NEVER;
    private long appendedBytes;

    private volatile Weather weather = (_, _) -> {};

    public void setWeather(Weather weather) {
        this.weather = weather;
    }

    /// From now on it says that it has forced bytes, and has not.
    public void lie() {
        locked(() -> lies = true);
    }

    /// The power goes off instead of what would be done at this point.
    public void powerOffAt(long point) {
        locked(() -> powerOffAt = point);
    }

    /// What would be done at this point fails, and with it what a failed force leaves unknown.
    public void failAt(long point) {
        locked(() -> failAt = point);
    }

    /// The disk is full after so many more bytes.
    public void fillAfter(long bytes) {
        locked(() -> freeBytes = bytes);
    }

    /// What has been done, in order: the index is the number of the point.
    public List<Point> trace() {
        return locked(() -> List.copyOf(trace));
    }

    /// Of all files, also those that are gone.
    public long appendedBytes() {
        return locked(() -> appendedBytes);
    }

    public boolean isOff() {
        return locked(() -> off);
    }

    /// Cuts the power: every call fails from now on. Answers with the disk as it is found after:
    /// all that was forced, and of the rest a part that `random` chooses.
    public SimulatedDisk crash(Random random) {
        return locked(
                () -> {
                    off = true;
                    Map<Path, SimulatedBytes> left = new TreeMap<>(durableNames);
                    boolean inOrder = random.nextBoolean();
                    int kept = random.nextInt(pending.size() + 1);
                    for (int index = 0; index < pending.size(); index++) {
                        if (inOrder ? index < kept : random.nextBoolean()) {
                            pending.get(index).applyTo(left);
                        }
                    }
                    var found = new SimulatedDisk();
                    found.folders.addAll(folders);
                    left.forEach((file, bytes) -> found.put(file, bytes.afterCrash(random)));
                    return found;
                });
    }

    /// The disk as it is found when the process was killed and the machine was not: all is there.
    public SimulatedDisk kill() {
        return locked(
                () -> {
                    off = true;
                    return copy();
                });
    }

    /// Another disk with the same files.
    public SimulatedDisk copy() {
        return locked(
                () -> {
                    var copy = new SimulatedDisk();
                    copy.folders.addAll(folders);
                    names.forEach((file, bytes) -> copy.put(file, bytes.copy()));
                    return copy;
                });
    }

    /// All files, whatever their names.
    public List<Path> files() {
        return locked(() -> List.copyOf(names.keySet()));
    }

    /// Puts a file there, durable, over any other of its name.
    public void put(Path file, byte[] content) {
        locked(
                () -> {
                    var bytes = new SimulatedBytes(content);
                    names.put(file, bytes);
                    durableNames.put(file, bytes);
                });
    }

    /// A new bit in a file: what a disk or a cosmic ray does.
    public void flipBit(Path file, long bit) throws IOException {
        byte[] content = readAll(file);
        content[(int) (bit / 8)] ^= (byte) (1 << bit % 8);
        put(file, content);
    }

    @Override
    public void createFolders(Path folder) throws IOException {
        lock.lock();
        try {
            refuseIfOff();
            for (Path above = folder; above != null; above = above.getParent()) {
                folders.add(above);
            }
        } finally {
            lock.unlock();
        }
    }

    @Override
    public List<String> list(Path folder) throws IOException {
        lock.lock();
        try {
            refuseIfOff();
            if (!folders.contains(folder)) {
                throw new NoSuchFileException(folder.toString());
            }
            Set<String> found = new TreeSet<>();
            for (Set<Path> paths : List.of(names.keySet(), folders)) {
                paths.stream()
                        .filter(path -> folder.equals(path.getParent()))
                        .forEach(path -> found.add(path.getFileName().toString()));
            }
            return List.copyOf(found);
        } finally {
            lock.unlock();
        }
    }

    @Override
    public boolean exists(Path file) throws IOException {
        lock.lock();
        try {
            refuseIfOff();
            return names.containsKey(file) || folders.contains(file);
        } finally {
            lock.unlock();
        }
    }

    @Override
    public DiskFile create(Path file) throws IOException {
        weather.await(Point.CREATE, file);
        lock.lock();
        try {
            refuseIfOff();
            if (names.containsKey(file)) {
                throw new FileAlreadyExistsException(file.toString());
            }
            if (!folders.contains(file.getParent())) {
                throw new NoSuchFileException(file.toString());
            }
            reach(Point.CREATE);
            var bytes = new SimulatedBytes(new byte[0]);
            names.put(file, bytes);
            pending.add(new NameChange(null, file, bytes));
            return new OpenFile(file, bytes);
        } finally {
            lock.unlock();
        }
    }

    @Override
    public DiskFile openToAppend(Path file) throws IOException {
        return open(file);
    }

    @Override
    public DiskFile open(Path file) throws IOException {
        return new OpenFile(file, find(file));
    }

    @Override
    public MemorySegment map(Path file, Arena arena) throws IOException {
        return map(file);
    }

    /// On the heap, as buffers too: the JVM frees other memory by threads of its own, in a time
    /// that no seed repeats.
    @Override
    public MemorySegment map(Path file) throws IOException {
        SimulatedBytes bytes = find(file);
        return locked(bytes::map);
    }

    @Override
    public ByteBuffer newBuffer(int bytes) {
        return ByteBuffer.allocate(bytes);
    }

    @Override
    public void rename(Path from, Path to) throws IOException {
        weather.await(Point.RENAME, to);
        lock.lock();
        try {
            SimulatedBytes bytes = find(from);
            reach(Point.RENAME);
            var change = new NameChange(from, to, bytes);
            change.applyTo(names);
            pending.add(change);
        } finally {
            lock.unlock();
        }
    }

    @Override
    public boolean delete(Path file) throws IOException {
        weather.await(Point.DELETE, file);
        lock.lock();
        try {
            refuseIfOff();
            SimulatedBytes bytes = names.get(file);
            if (bytes == null) {
                return false;
            }
            reach(Point.DELETE);
            names.remove(file);
            pending.add(new NameChange(file, null, bytes));
            return true;
        } finally {
            lock.unlock();
        }
    }

    /// What [#fillAfter] has left.
    @Override
    public long usableBytes(Path file) {
        return locked(() -> freeBytes);
    }

    @Override
    public void forceFolder(Path folder) throws IOException {
        weather.await(Point.FORCE_FOLDER, folder);
        lock.lock();
        try {
            reach(Point.FORCE_FOLDER);
            for (NameChange change : List.copyOf(pending)) {
                if (change.isIn(folder)) {
                    change.applyTo(durableNames);
                    pending.remove(change);
                }
            }
        } finally {
            lock.unlock();
        }
    }

    private final class OpenFile implements DiskFile {
        /// When it was opened.
        private final Path name;

        private final SimulatedBytes bytes;

        OpenFile(Path name, SimulatedBytes bytes) {
            this.name = name;
            this.bytes = bytes;
        }

        @Override
        public long size() throws IOException {
            lock.lock();
            try {
                refuseIfOff();
                return bytes.size();
            } finally {
                lock.unlock();
            }
        }

        @Override
        public int read(ByteBuffer into, long offset) throws IOException {
            lock.lock();
            try {
                refuseIfOff();
                return bytes.read(into, offset);
            } finally {
                lock.unlock();
            }
        }

        @Override
        public void append(ByteBuffer more) throws IOException {
            write(more, size());
        }

        @Override
        public void write(ByteBuffer more, long offset) throws IOException {
            IOException failure = failure(Point.APPEND);
            lock.lock();
            try {
                reach(Point.APPEND);
                int at = (int) offset;
                if (failure != null) {
                    bytes.write(more.slice(more.position(), more.remaining() / 2), at);
                    throw failure;
                }
                int longer = Math.max(0, at + more.remaining() - bytes.size());
                if (longer > freeBytes) {
                    int fits = more.remaining() - longer + (int) freeBytes;
                    bytes.write(more.slice(more.position(), fits), at);
                    freeBytes = 0;
                    throw new IOException("No space left on device");
                }
                freeBytes -= freeBytes == NEVER ? 0 : longer;
                appendedBytes += longer;
                bytes.write(more, at);
            } finally {
                lock.unlock();
            }
        }

        @Override
        public void truncate(long length) throws IOException {
            weather.await(Point.TRUNCATE, name);
            lock.lock();
            try {
                reach(Point.TRUNCATE);
                bytes.truncate((int) length);
            } finally {
                lock.unlock();
            }
        }

        @Override
        public void force() throws IOException {
            IOException failure = failure(Point.FORCE);
            lock.lock();
            try {
                try {
                    reach(Point.FORCE);
                    if (failure != null) {
                        throw failure;
                    }
                } catch (IOException e) {
                    bytes.forceFailed();
                    throw e;
                }
                if (!lies) {
                    bytes.force();
                }
            } finally {
                lock.unlock();
            }
        }

        @Override
        public void close() {}

        private @Nullable IOException failure(Point point) {
            try {
                weather.await(point, name);
                return null;
            } catch (IOException e) {
                return e;
            }
        }
    }

    private SimulatedBytes find(Path file) throws IOException {
        lock.lock();
        try {
            refuseIfOff();
            SimulatedBytes bytes = names.get(file);
            if (bytes == null) {
                throw new NoSuchFileException(file.toString());
            }
            return bytes;
        } finally {
            lock.unlock();
        }
    }

    private void reach(Point point) throws IOException {
        refuseIfOff();
        long number = trace.size();
        trace.add(point);
        if (number == powerOffAt) {
            off = true;
            refuseIfOff();
        }
        if (number == failAt) {
            throw new IOException("Input/output error");
        }
    }

    private void refuseIfOff() throws IOException {
        if (off) {
            throw new IOException("the power is off");
        }
    }

    private void locked(Runnable body) {
        lock.lock();
        try {
            body.run();
        } finally {
            lock.unlock();
        }
    }

    private <T> T locked(Supplier<T> body) {
        lock.lock();
        try {
            return body.get();
        } finally {
            lock.unlock();
        }
    }
}
