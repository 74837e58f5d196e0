package io.cleave.tablet;

import com.google.errorprone.annotations.concurrent.GuardedBy;

import io.cleave.base.Check;
import io.cleave.lsm.Slice;
import io.cleave.lsm.TableFiles;

import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;

/// How many slices name each blob, in all cells that share a blob store. A blob that nobody names
/// is deleted, and never named again.
///
/// A name counts from when the record that gives it is applied, and until the record that ends it
/// is durable: another cell may otherwise see the last name end, and delete what this one's log
/// still names after a crash.
///
/// Threads: any.
public final class BlobReferences {
    private static final System.Logger LOGGER = System.getLogger(BlobReferences.class.getName());

    private final TableFiles files;
    private final ReentrantLock lock = new ReentrantLock();

    @GuardedBy("lock")
    private final Map<Long, Integer> counts = new HashMap<>();

    public BlobReferences(TableFiles files) {
        this.files = files;
    }

    TableFiles files() {
        return files;
    }

    void add(List<Slice> slices) {
        lock.lock();
        try {
            for (Slice slice : slices) {
                counts.merge(slice.blobId(), 1, Integer::sum);
            }
        } finally {
            lock.unlock();
        }
    }

    /// Deletes those blobs that were named by these slices last.
    void remove(List<Slice> slices) {
        removeNames(slices).forEach(this::delete);
    }

    /// The names end of blobs that all have others.
    void removeShared(List<Slice> slices) {
        List<Long> dead = removeNames(slices);
        Check.that(dead.isEmpty(), "nobody names the tables %s", dead);
    }

    private List<Long> removeNames(List<Slice> slices) {
        List<Long> dead = new ArrayList<>();
        lock.lock();
        try {
            for (Slice slice : slices) {
                Integer left = counts.computeIfPresent(slice.blobId(), (_, count) -> count - 1);
                Check.that(left != null, "blob %d has no references", slice.blobId());
                if (left == 0) {
                    counts.remove(slice.blobId());
                    dead.add(slice.blobId());
                }
            }
        } finally {
            lock.unlock();
        }
        return dead;
    }

    /// Removes files that no tablet names: a crash came between writing one and logging it, or
    /// between logging its removal and removing it. To be called when all cells have been replayed
    /// and none writes yet.
    public void removeOrphans() {
        files.deleteAllBut(named());
    }

    private Set<Long> named() {
        lock.lock();
        try {
            return Set.copyOf(counts.keySet());
        } finally {
            lock.unlock();
        }
    }

    private void delete(long blobId) {
        try {
            files.delete(blobId);
        } catch (UncheckedIOException e) {
            // Nobody needs it, and the next start tries again.
            LOGGER.log(System.Logger.Level.WARNING, "table " + blobId + " stays behind", e);
        }
    }
}
