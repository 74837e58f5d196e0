package io.cleave.node;

import com.google.errorprone.annotations.concurrent.GuardedBy;

import io.cleave.base.Env;
import io.cleave.disk.Disk;
import io.cleave.disk.DiskFile;
import io.cleave.tablet.WriteGate;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;

/// Watches the free space on the disks of a data folder, and keeps a reserve on the main disk.
///
/// The reserve is a file of the data folder, `reserve`. When a disk is almost full, the reserve is
/// deleted and tables refuse commits. The released space lets logs, flushes, compaction and
/// trimming continue, which may free more space. When there is enough space again, the reserve is
/// recreated and commits are accepted.
///
/// Threads: any.
public final class DiskSpace implements AutoCloseable {
    private static final System.Logger LOGGER = System.getLogger(DiskSpace.class.getName());

    static final Limits DEFAULT = new Limits(2L << 30, 64L << 20, 64L << 20);

    private static final String RESERVE = "reserve";
    private static final Duration PERIOD = Duration.ofSeconds(1);
    private static final int PIECE_BYTES = 1 << 20;

    private final Env env;
    private final Disk disk;
    private final Path reserve;
    private final List<Path> folders;
    private final Limits limits;
    private final ReentrantLock lock = new ReentrantLock();

    @GuardedBy("lock")
    private boolean isLow;

    private volatile Optional<String> full = Optional.empty();
    private volatile Optional<String> warning = Optional.empty();
    private volatile long usableBytes = Long.MAX_VALUE;
    private volatile boolean closed;

    /// @param lowBytes with less free space there is a warning
    /// @param fullBytes with less free space the disk counts as full
    /// @param reserveBytes the size of the reserve
    record Limits(long lowBytes, long fullBytes, long reserveBytes) {
        /// The free space from which the disk is no longer full and the reserve can be recreated.
        long againBytes() {
            return fullBytes + 2 * reserveBytes;
        }
    }

    /// `folder` is the data folder, which exists; `others` are the folders of further media.
    DiskSpace(Env env, Disk disk, Path folder, List<Path> others, Limits limits) {
        this.env = env;
        this.disk = disk;
        this.limits = limits;
        reserve = folder.resolve(RESERVE);
        folders = new ArrayList<>(List.of(folder));
        folders.addAll(others);
    }

    /// Checks once, and then every second until closed. The reserve is created by the second check,
    /// so that a start does not wait for it.
    void start(WriteGate gate) {
        look(gate, Reserve.LEAVE);
        env.spawn("disk-space", () -> watch(gate));
    }

    private void watch(WriteGate gate) {
        try {
            while (!closed) {
                env.sleep(PERIOD);
                look(gate, Reserve.TAKE);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /// What to do if there is enough space and no reserve.
    enum Reserve {
        TAKE,
        LEAVE
    }

    void look(WriteGate gate, Reserve ifMissing) {
        lock.lock();
        try {
            if (closed) {
                return;
            }
            long usable = Long.MAX_VALUE;
            for (Path folder : folders) {
                usable = Math.min(usable, disk.usableBytes(folder));
            }
            usableBytes = usable;
            boolean isFull = usable < (full.isPresent() ? limits.againBytes() : limits.fullBytes);
            if (isFull) {
                fill(gate, usable);
            } else {
                goOn(gate, ifMissing);
            }
            warn(usable, isFull);
        } finally {
            lock.unlock();
        }
    }

    @GuardedBy("lock")
    private void fill(WriteGate gate, long usable) {
        String why =
                "the disk of %s is full, with %d MiB left: free some space, and writes resume"
                        .formatted(folders.getFirst(), usable >> 20);
        if (full.isEmpty()) {
            LOGGER.log(System.Logger.Level.ERROR, why);
        }
        full = Optional.of(why);
        gate.close(why);
        try {
            disk.delete(reserve);
        } catch (IOException e) {
            LOGGER.log(System.Logger.Level.WARNING, "cannot delete " + reserve, e);
        }
    }

    @GuardedBy("lock")
    private void goOn(WriteGate gate, Reserve ifMissing) {
        if (full.isPresent()) {
            LOGGER.log(
                    System.Logger.Level.WARNING,
                    "the disk of " + folders.getFirst() + " has space again: writes resume");
        }
        try {
            if (ifMissing == Reserve.TAKE && usableBytes >= limits.againBytes() && !hasReserve()) {
                disk.delete(reserve);
                takeReserve();
            }
        } catch (IOException e) {
            LOGGER.log(System.Logger.Level.WARNING, "cannot keep a reserve in " + reserve, e);
        }
        full = Optional.empty();
        gate.open();
    }

    /// Checks the size too: a crash may have left an incomplete reserve.
    @GuardedBy("lock")
    private boolean hasReserve() throws IOException {
        if (!disk.exists(reserve)) {
            return false;
        }
        try (DiskFile file = disk.open(reserve)) {
            return file.size() >= limits.reserveBytes;
        }
    }

    @GuardedBy("lock")
    private void takeReserve() throws IOException {
        try (DiskFile file = disk.create(reserve)) {
            ByteBuffer piece = disk.newBuffer(PIECE_BYTES);
            for (long left = limits.reserveBytes; left > 0; left -= PIECE_BYTES) {
                file.append(piece.clear().limit((int) Math.min(left, PIECE_BYTES)));
            }
        } catch (IOException e) {
            disk.delete(reserve);
            throw e;
        }
    }

    @GuardedBy("lock")
    private void warn(long usable, boolean isFull) {
        boolean low = usable < limits.lowBytes;
        if (low && !isLow && !isFull) {
            LOGGER.log(
                    System.Logger.Level.WARNING,
                    "the disk of %s has only %d MiB left; writes stop at %d MiB"
                            .formatted(folders.getFirst(), usable >> 20, limits.fullBytes >> 20));
        }
        isLow = low;
        warning =
                low
                        ? Optional.of(
                                "the disk has only %d MiB left; writes stop at %d MiB"
                                        .formatted(usable >> 20, limits.fullBytes >> 20))
                        : Optional.empty();
    }

    /// Why tables refuse writes; empty while there is space.
    Optional<String> full() {
        return full;
    }

    Optional<String> warning() {
        return warning;
    }

    /// The free space on the fullest disk.
    long usableBytes() {
        return usableBytes;
    }

    /// Nothing is written after this returns, because another process may then use the folder.
    @Override
    public void close() {
        lock.lock();
        try {
            closed = true;
        } finally {
            lock.unlock();
        }
    }
}
