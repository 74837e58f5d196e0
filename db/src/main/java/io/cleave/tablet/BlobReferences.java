package io.cleave.tablet;

import com.google.errorprone.annotations.concurrent.GuardedBy;

import io.cleave.base.Check;
import io.cleave.lsm.table.Slice;
import io.cleave.lsm.table.TableFiles;

import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;

/// Reference counts of blobs: how many slices name each blob, in all cells that share a blob store.
/// A blob without references is deleted and never referenced again.
///
/// A reference counts from the moment the record that adds it is applied until the record that ends
/// it is durable. Without this rule, another cell could see the last reference end and delete a
/// blob that the log of this cell still names after a crash.
///
/// Threads: any.
public final class BlobReferences {
    private static final System.Logger LOGGER = System.getLogger(BlobReferences.class.getName());

    // ---- own synchronisation

    private final TableFiles files;

    /// Written under the lock. Lets callers see without the lock that nothing is retained.
    private volatile boolean isSomeRetained;

    /// See [#setAsideDead].
    private volatile boolean isSettingAside;

    // ---- guarded by the lock

    private final ReentrantLock lock = new ReentrantLock();

    /// The number of references, by blob id.
    @GuardedBy("lock")
    private final Map<Long, Integer> counts = new HashMap<>();

    /// Readers that follow a log behind its writer. A record that such a reader has not reached yet
    /// may name a blob whose last reference has already ended.
    @GuardedBy("lock")
    private final List<Behind> readers = new ArrayList<>();

    @GuardedBy("lock")
    private final List<Retained> retained = new ArrayList<>();

    /// A reader that follows a log behind its writer.
    interface Behind {
        /// One past the newest record of the log.
        long appended();

        /// One past the newest record that the reader has applied.
        long applied();
    }

    /// A blob without references, and the position that each reader must reach before the blob may
    /// be deleted.
    private record Retained(long blobId, Map<Behind, Long> until) {}

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

    /// Ends the references of these slices. A blob whose last reference ended is deleted once all
    /// readers have passed the records that name it. Those records are already in the logs, because
    /// the references have ended.
    void remove(List<Slice> slices) {
        List<Long> dead = removeNames(slices);
        if (dead.isEmpty()) {
            return;
        }
        Map<Behind, Long> until = new HashMap<>();
        readers().forEach(reader -> until.put(reader, reader.appended()));
        if (until.isEmpty()) {
            dead.forEach(this::delete);
            return;
        }
        lock.lock();
        try {
            dead.forEach(blobId -> retained.add(new Retained(blobId, until)));
            isSomeRetained = true;
        } finally {
            lock.unlock();
        }
        deleteRetained();
    }

    private List<Behind> readers() {
        lock.lock();
        try {
            return List.copyOf(readers);
        } finally {
            lock.unlock();
        }
    }

    /// Adds a reader. It reads a log from now on, starting with what the log holds now.
    void follow(Behind reader) {
        lock.lock();
        try {
            readers.add(reader);
        } finally {
            lock.unlock();
        }
    }

    void unfollow(Behind reader) {
        lock.lock();
        try {
            readers.remove(reader);
        } finally {
            lock.unlock();
        }
        deleteRetained();
    }

    /// Called when a reader has moved on: deletes the retained blobs that all readers have passed.
    void deleteRetained() {
        if (!isSomeRetained) {
            return;
        }
        List<Long> dead = new ArrayList<>();
        lock.lock();
        try {
            for (Retained blob : List.copyOf(retained)) {
                if (isPassed(blob)) {
                    retained.remove(blob);
                    // If a reader has named the blob meanwhile, it is deleted when that reference
                    // ends.
                    if (!counts.containsKey(blob.blobId)) {
                        dead.add(blob.blobId);
                    }
                }
            }
            isSomeRetained = !retained.isEmpty();
        } finally {
            lock.unlock();
        }
        dead.forEach(this::delete);
    }

    @GuardedBy("lock")
    private boolean isPassed(Retained blob) {
        for (Behind reader : readers) {
            Long until = blob.until.get(reader);
            if (until != null && reader.applied() < until) {
                return false;
            }
        }
        return true;
    }

    /// Number of blobs that are kept only for readers that are behind.
    int retainedBlobs() {
        lock.lock();
        try {
            return retained.size();
        } finally {
            lock.unlock();
        }
    }

    /// Ends references to blobs that all have other references.
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

    /// A cell that uses the files.
    public interface User {
        /// Throws a [io.cleave.log.LogException] if another process has taken over its log.
        void checkNotFenced();
    }

    /// Deletes files that no tablet names. They remain if a crash came between writing a file and
    /// logging it, or between logging its removal and deleting it. Call this when all cells that
    /// share the files have been replayed and none of them writes yet; `cells` must be all of them.
    ///
    /// A process that loses its leadership while it starts could find files of the next leader,
    /// which it does not know. The next leader fences all logs before it writes files. So as long
    /// as these cells can still write their logs, none of the files belongs to another leader.
    public void removeOrphans(List<? extends User> cells) {
        files.deleteAllBut(named(), () -> cells.forEach(User::checkNotFenced));
    }

    /// Like `removeOrphans`, for a start that has lost part of a log. A file that no tablet names
    /// may belong to a lost record, so it is set aside for the operator and not deleted.
    public void setAsideOrphans(List<? extends User> cells) {
        for (String file :
                files.setAsideAllBut(named(), () -> cells.forEach(User::checkNotFenced))) {
            LOGGER.log(
                    System.Logger.Level.WARNING,
                    "unreferenced table file kept as {0}, because data was lost at this start",
                    file);
        }
    }

    /// Sets whether blobs without references are set aside for the operator instead of deleted.
    /// This is on while a start that has lost records brings cells and catalog into agreement: a
    /// tablet of a table that the catalog has lost is dropped then.
    public void setAsideDead(boolean isKept) {
        isSettingAside = isKept;
    }

    boolean isSettingAside() {
        return isSettingAside;
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
            if (isSettingAside) {
                for (String file : files.setAside(blobId)) {
                    LOGGER.log(
                            System.Logger.Level.WARNING,
                            "unreferenced table file kept as {0}, because data was lost at this"
                                    + " start",
                            file);
                }
                return;
            }
            files.delete(blobId);
        } catch (UncheckedIOException e) {
            // Nobody needs the blob, and the next start tries again to delete it.
            LOGGER.log(
                    System.Logger.Level.WARNING,
                    "table file %d could not be deleted; the next start deletes it"
                            .formatted(blobId),
                    e);
        }
    }
}
