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

    /// Who reads logs behind their writers: blobs whose last name has ended may be named by records
    /// that they have yet to come to.
    @GuardedBy("lock")
    private final List<Behind> readers = new ArrayList<>();

    @GuardedBy("lock")
    private final List<Retained> retained = new ArrayList<>();

    /// Set under the lock, so that most need not take it to see that nothing is retained.
    private volatile boolean isSomeRetained;

    /// One who reads a log behind its writer.
    interface Behind {
        /// One past the newest record that the log has.
        long appended();

        /// One past the newest record that the reader has come to.
        long applied();
    }

    /// A blob that nobody names, and up to where each reader has to come before it may go.
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

    /// Deletes those blobs that were named by these slices last, when all readers have come past
    /// the records that name them. These are in their logs by now, for the names have ended.
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

    /// Whoever reads a log from now on, beginning with what it holds now.
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

    /// A reader has moved on: deletes what nobody can come to any more.
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
                    // One that a reader has named meanwhile goes when that name ends.
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

    /// Blobs that are kept only for those who are behind.
    int retainedBlobs() {
        lock.lock();
        try {
            return retained.size();
        } finally {
            lock.unlock();
        }
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
    /// between logging its removal and removing it. To be called when all cells that share the
    /// files, which are these, have been replayed and none writes yet.
    ///
    /// A process that was overtaken while it started would find files of the next leader, of which
    /// it knows nothing. That one has fenced all logs before it wrote any: so files that are there
    /// while these cells still write their logs are none of its.
    public void removeOrphans(List<Cell> cells) {
        files.deleteAllBut(named(), () -> cells.forEach(Cell::checkNotFenced));
    }

    /// The same after something was lost of a log: what no tablet names may be of a lost record,
    /// and is kept for people.
    public void setAsideOrphans(List<Cell> cells) {
        for (String file :
                files.setAsideAllBut(named(), () -> cells.forEach(Cell::checkNotFenced))) {
            LOGGER.log(
                    System.Logger.Level.WARNING,
                    "no record names a table file, and records were lost: it is {0} now",
                    file);
        }
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
