package io.cleave.bookkeeper;

import com.google.errorprone.annotations.concurrent.GuardedBy;

import io.cleave.base.Check;
import io.cleave.base.CorruptionException;

import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;

/// Assigns ids that no process has used before, and knows which of them may have a ledger without
/// being a blob.
///
/// Ids are taken in runs. A run is registered before any of its ids is used, and removed when each
/// of them has become a blob or is gone. So everything that a crash leaves behind is in runs whose
/// holder is gone. The process that finds such a run takes it over with a compare-and-set. After
/// that the old holder can seal nothing of it, even if it only hung. Threads: any.
final class BlobRuns {
    static final int RUN = 64;

    private static final System.Logger LOGGER = System.getLogger(BlobRuns.class.getName());

    private final BlobNodes nodes;
    private final String holder;
    private final ReentrantLock lock = new ReentrantLock();

    /// The number of open ids in each run.
    @GuardedBy("lock")
    private final Map<Long, Integer> open = new HashMap<>();

    /// Runs of `open` that another process has taken over.
    @GuardedBy("lock")
    private final Set<Long> lost = new HashSet<>();

    @GuardedBy("lock")
    private long next;

    /// One past the last id of the current run, which begins [#RUN] before.
    @GuardedBy("lock")
    private long runTo;

    BlobRuns(BlobNodes nodes, String holder) {
        this.nodes = nodes;
        this.holder = holder;
    }

    /// An id, and the first id of its run.
    record Id(long blobId, long runFrom) {}

    Id next() throws IOException {
        lock.lock();
        try {
            if (next == runTo) {
                long from = takeRun();
                next = from;
                runTo = from + RUN;
            }
            long runFrom = runTo - RUN;
            open.merge(runFrom, 1, Integer::sum);
            return new Id(next++, runFrom);
        } finally {
            lock.unlock();
        }
    }

    private long takeRun() throws IOException {
        // Each failed attempt means that another process has taken a run.
        while (true) {
            BlobNodes.Read number =
                    nodes.read(nodes.nextId())
                            .orElseThrow(
                                    () -> new CorruptionException(nodes.nextId(), 0, "is missing"));
            long from = number(number.text());
            boolean taken =
                    nodes.doAll(
                            nodes.set(nodes.nextId(), number.version(), "" + (from + RUN)),
                            nodes.create(nodes.run(from), holder));
            if (taken) {
                return from;
            }
        }
    }

    private long number(String text) {
        try {
            long number = Long.parseLong(text);
            if (number > 0) {
                return number;
            }
        } catch (NumberFormatException _) {
            // Reported below.
        }
        throw new CorruptionException(nodes.nextId(), 0, "not a number: '" + text + "'");
    }

    /// Called when the id has become a blob, or its ledger is gone.
    void end(Id id) {
        boolean isLast;
        lock.lock();
        try {
            Integer left = open.computeIfPresent(id.runFrom, (_, count) -> count - 1);
            Check.that(left != null, "id %d ends twice", id.blobId);
            boolean isOwn = !lost.contains(id.runFrom);
            isLast = isOwn && left == 0 && (id.runFrom != runTo - RUN || next == runTo);
            if (left == 0) {
                open.remove(id.runFrom);
                lost.remove(id.runFrom);
            }
        } finally {
            lock.unlock();
        }
        if (isLast) {
            try {
                nodes.remove(nodes.run(id.runFrom));
            } catch (IOException e) {
                // The next process that opens the store finds the run empty and removes it.
                LOGGER.log(System.Logger.Level.DEBUG, "run " + id.runFrom + " stays behind", e);
            }
        }
    }

    /// Another process has taken over the run: nothing of it can be sealed any more.
    void lose(Id id) {
        lock.lock();
        try {
            lost.add(id.runFrom);
            if (id.runFrom == runTo - RUN) {
                next = 0;
                runTo = 0;
            }
        } finally {
            lock.unlock();
        }
    }

    /// Gives back the current run if no id of it is open, so that nobody has to search it.
    void close() throws IOException {
        long from;
        lock.lock();
        try {
            from = runTo - RUN;
            boolean isUsed = runTo == 0 || next == runTo || open.containsKey(from);
            next = 0;
            runTo = 0;
            if (isUsed) {
                return;
            }
        } finally {
            lock.unlock();
        }
        nodes.remove(nodes.run(from));
    }

    /// Removes what an id of a taken-over run has left behind.
    interface Orphan {
        void remove(long blobId) throws IOException;
    }

    /// The processes that have the store open.
    interface Holders {
        Set<String> names() throws IOException;
    }

    private record Run(String name, BlobNodes.Read read) {}

    /// Removes what processes that are no longer holders have left behind.
    void removeOrphans(Holders holders, Orphan orphan) throws IOException {
        // The runs are listed first: a process that owns one of them became a holder before it took
        // the run.
        List<Run> runs = new ArrayList<>();
        for (String name : nodes.children(nodes.runs())) {
            nodes.read(path(name)).ifPresent(read -> runs.add(new Run(name, read)));
        }
        Set<String> alive = holders.names();
        for (Run run : runs) {
            if (alive.contains(run.read.text())) {
                continue;
            }
            // The run stays registered until the work is done, for another process in case this one
            // ends.
            if (nodes.doAll(nodes.set(path(run.name), run.read.version(), holder))) {
                long from = BlobNodes.id(run.name);
                for (long blobId = from; blobId < from + RUN; blobId++) {
                    orphan.remove(blobId);
                }
                nodes.remove(path(run.name));
            }
        }
    }

    private String path(String name) {
        return nodes.runs() + "/" + name;
    }
}
