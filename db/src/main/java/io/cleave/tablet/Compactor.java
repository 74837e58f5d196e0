package io.cleave.tablet;

import com.google.errorprone.annotations.concurrent.GuardedBy;

import io.cleave.base.CorruptionException;
import io.cleave.base.Env;
import io.cleave.base.Status;
import io.cleave.base.StatusException;
import io.cleave.lsm.Compaction;
import io.cleave.lsm.LsmTree;
import io.cleave.lsm.table.Slice;
import io.cleave.tablet.pace.CompactionPacer;
import io.cleave.tablet.pace.Pace;
import io.cleave.tablet.record.CellRecord.Compacted;
import io.cleave.time.Timeline.Horizon;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.ReentrantLock;

/// Compacts the files of a cell's tablets, one tablet at a time. Requested tablets come first, then
/// the tablet with the most level-0 runs.
///
/// A failed compaction changes nothing. Its tablet is not tried again for a while.
///
/// Threads: one thread compacts; any thread may request a full compaction.
final class Compactor {
    private static final System.Logger LOGGER = System.getLogger(Compactor.class.getName());

    /// A tablet that had nothing to compact is checked again when its files have changed or after
    /// this time, because a snapshot that kept versions alive may have ended.
    private static final Duration LOOK_AGAIN = Duration.ofSeconds(10);

    private static final long NO_TABLET = -1;

    private static final Duration AFTER_FAILURE = Duration.ofSeconds(30);

    // ---- constant after construction

    private final CellJournal journal;
    private final Background background;
    private final Flusher flusher;
    private final UpkeepSignals signals;
    private final Env env;

    // ---- own synchronisation

    /// Ids of tables; see [#awaitLoad].
    private final Set<Long> awaitingLoad = ConcurrentHashMap.newKeySet();

    /// Held while the next compaction is picked.
    private final ReentrantLock picking = new ReentrantLock();

    private volatile long compactingTablet = NO_TABLET;

    // ---- guarded by the lock

    private final ReentrantLock lock = new ReentrantLock();

    /// By tablet id, in the order of the requests.
    @GuardedBy("lock")
    private final Map<Long, Request> requests = new LinkedHashMap<>();

    // ---- used only by the compacting thread

    /// From tablet id to the change count of its tree when pinning failed.
    private final Map<Long, Long> pinFailures = new HashMap<>();

    /// Tablets for whose pinned blocks there was not enough room.
    private final Set<Long> partlyPinned = new HashSet<>();

    /// When to check a tablet again.
    private final Map<Long, Rest> rests = new HashMap<>();

    Compactor(
            CellJournal journal,
            Background background,
            Flusher flusher,
            UpkeepSignals signals,
            Env env) {
        this.journal = journal;
        this.background = background;
        this.flusher = flusher;
        this.signals = signals;
        this.env = env;
    }

    /// A request to compact a tablet fully, including everything flushed up to `generation`.
    private record Request(long generation, CompletableFuture<@Nullable Void> done) {}

    private record Rest(long changes, long untilNanos) {}

    /// `oldest` is the oldest readable timestamp at the time of the pick. A later value would be
    /// wrong: files that were added since, with a timestamp in the past, may have the timestamp of
    /// a snapshot that was released since.
    private record Job(
            HostedTablet hosted, Compaction compaction, long oldest, @Nullable Request request) {}

    /// Compacts everything that is in the tablet now into its last level, with the current
    /// settings. Returns when it is done.
    void compactFully(long tabletId) {
        HostedTablet hosted = journal.state().hosted(tabletId);
        if (hosted == null) {
            return;
        }
        long generation = flusher.flush(hosted);
        var request = new Request(generation, new CompletableFuture<>());
        lock.lock();
        try {
            // An earlier request completes together with this one, which covers more.
            Request earlier = requests.put(tabletId, request);
            if (earlier != null) {
                var _ = request.done().whenComplete((_, e) -> finish(earlier, e));
            }
        } finally {
            lock.unlock();
        }
        if (signals.isOver()) {
            close();
        }
        signals.wake();
        try {
            request.done().join();
        } catch (CompletionException e) {
            if (e.getCause() instanceof StatusException status) {
                throw status;
            }
            throw new StatusException(
                    Status.UNAVAILABLE,
                    "tablet %d was not compacted: %s".formatted(tabletId, e.getMessage()));
        }
    }

    /// Fails all pending requests.
    void close() {
        lock.lock();
        try {
            var closing =
                    new StatusException(
                            Status.UNAVAILABLE, "cell %d is closing".formatted(journal.cellId()));
            requests.values().forEach(request -> finish(request, closing));
            requests.clear();
        } finally {
            lock.unlock();
        }
    }

    /// Runs the most useful compaction. Returns false if there was none, or no free slot.
    boolean compactOnce() {
        if (!background.slots().tryTakeForCompaction()) {
            return false;
        }
        try {
            pinFamilies();
            Job job = pick();
            if (job == null) {
                return false;
            }
            run(job);
            return true;
        } finally {
            compactingTablet = NO_TABLET;
            background.slots().giveBack();
        }
    }

    ReentrantLock picking() {
        return picking;
    }

    boolean isCompacting(long tabletId) {
        return compactingTablet == tabletId;
    }

    /// Announces a load of rows that are older than all rows of this table. Until it ends, the
    /// tablets of the table keep all files on level 0, so that the loaded files can go below them.
    void awaitLoad(long tableId) {
        awaitingLoad.add(tableId);
    }

    /// The announced load has finished, or will not come.
    void endLoad(long tableId) {
        awaitingLoad.remove(tableId);
        signals.wake();
    }

    private boolean awaitsLoad(Tablet tablet) {
        return !awaitingLoad.isEmpty() && awaitingLoad.contains(tablet.tableId());
    }

    private @Nullable Job pick() {
        picking.lock();
        try {
            Job job = nextJob(journal.timeline().horizon());
            if (job != null) {
                compactingTablet = job.hosted().tablet.id();
            }
            return job;
        } finally {
            picking.unlock();
        }
    }

    /// Loads column families that are kept in memory: at the start, after settings have changed,
    /// and when there is room that was missing. New files are pinned when they are written.
    private void pinFamilies() {
        for (HostedTablet hosted : journal.state().tablets()) {
            LsmTree tree = hosted.tablet.tree();
            if (isEmpty(tree)) {
                continue;
            }
            long tabletId = hosted.tablet.id();
            Rest rest = rests.get(tabletId);
            if (rest == null
                    || rest.changes() != tree.changes()
                    || partlyPinned.contains(tabletId)) {
                pinFamilies(tabletId, tree);
            }
        }
    }

    /// An unreadable table does not stop the compaction of others. Pinning is tried again when the
    /// tree has changed.
    private void pinFamilies(long tabletId, LsmTree tree) {
        Long failed = pinFailures.get(tabletId);
        if (failed != null && failed == tree.changes()) {
            return;
        }
        try {
            if (tree.maintenance().pinFamilies()) {
                partlyPinned.remove(tabletId);
            } else {
                partlyPinned.add(tabletId);
            }
        } catch (CorruptionException | UncheckedIOException e) {
            pinFailures.put(tabletId, tree.changes());
            LOGGER.log(
                    System.Logger.Level.ERROR,
                    () ->
                            "could not load the pinned families of tablet %d into memory: %s"
                                    .formatted(tabletId, e.getMessage()));
        }
    }

    private @Nullable Job nextJob(Horizon horizon) {
        Job asked = nextRequested(horizon);
        if (asked != null) {
            return asked;
        }
        forgetTheGone();
        List<HostedTablet> byRuns = new ArrayList<>();
        for (HostedTablet hosted : journal.state().tablets()) {
            if (!isEmpty(hosted.tablet.tree())) {
                byRuns.add(hosted);
            }
        }
        byRuns.sort(Comparator.comparingInt(Compactor::level0Runs).reversed());
        long now = env.nanoTime();
        for (HostedTablet hosted : byRuns) {
            if (hosted.departure() != null) {
                continue;
            }
            LsmTree tree = hosted.tablet.tree();
            long changes = tree.changes();
            Rest rest = rests.get(hosted.tablet.id());
            if (rest != null && rest.changes() == changes && now < rest.untilNanos()) {
                continue;
            }
            long oldest = hosted.tablet.removableBefore(horizon);
            Optional<Compaction> picked = pick(hosted.tablet, oldest);
            if (picked.isPresent()) {
                return new Job(hosted, picked.get(), oldest, null);
            }
            if (tree.erases().isEmpty()) {
                rest(hosted.tablet.id(), changes, LOOK_AGAIN);
            }
        }
        return null;
    }

    private Optional<Compaction> pick(Tablet tablet, long oldest) {
        return awaitsLoad(tablet)
                ? tablet.tree().maintenance().pickWithinLevel0(oldest)
                : tablet.tree().maintenance().pickCompaction(oldest);
    }

    /// Whether there is nothing to compact, now or later.
    private static boolean isEmpty(LsmTree tree) {
        return tree.slices().isEmpty() && tree.erases().isEmpty();
    }

    /// Cleans up only now and then, because it visits all tablets.
    private void forgetTheGone() {
        if (rests.size() > 2 * journal.state().tablets().size()) {
            rests.keySet().removeIf(id -> journal.state().hosted(id) == null);
            pinFailures.keySet().removeIf(id -> journal.state().hosted(id) == null);
            partlyPinned.removeIf(id -> journal.state().hosted(id) == null);
        }
    }

    private static int level0Runs(HostedTablet hosted) {
        return hosted.tablet.tree().level0Runs();
    }

    private void rest(long tabletId, long changes, Duration span) {
        rests.put(tabletId, new Rest(changes, env.nanoTime() + span.toNanos()));
    }

    /// The next step of a requested compaction. Completes the requests that have no step left.
    private @Nullable Job nextRequested(Horizon horizon) {
        lock.lock();
        try {
            var each = requests.entrySet().iterator();
            while (each.hasNext()) {
                Map.Entry<Long, Request> entry = each.next();
                HostedTablet hosted = journal.state().hosted(entry.getKey());
                Request request = entry.getValue();
                long oldest =
                        hosted == null ? horizon.oldest() : hosted.tablet.removableBefore(horizon);
                Optional<Compaction> step =
                        hosted == null || hosted.departure() != null || awaitsLoad(hosted.tablet)
                                ? Optional.empty()
                                : hosted.tablet
                                        .tree()
                                        .maintenance()
                                        .pickFullCompaction(request.generation(), oldest);
                if (step.isPresent() && hosted != null) {
                    return new Job(hosted, step.get(), oldest, request);
                }
                each.remove();
                finish(request, null);
            }
            return null;
        } finally {
            lock.unlock();
        }
    }

    private static void finish(Request request, @Nullable Throwable failure) {
        if (failure == null) {
            request.done().complete(null);
        } else {
            request.done().completeExceptionally(failure);
        }
    }

    private void run(Job job) {
        long tabletId = job.hosted().tablet.id();
        try {
            List<Slice> added =
                    job.hosted()
                            .tablet
                            .tree()
                            .maintenance()
                            .runCompaction(job.compaction(), job.oldest(), newPacer(job));
            if (env.mayFail("the record of a compaction")) {
                throw new UncheckedIOException(new IOException("bad luck after a compaction"));
            }
            journal.run(
                    new Compacted(tabletId, job.compaction().inputs(), added), job.hosted(), added);
            signals.progressed();
        } catch (RuntimeException e) {
            if (signals.isOver()) {
                throw e;
            }
            if (isGone(job)) {
                return;
            }
            LOGGER.log(
                    System.Logger.Level.WARNING,
                    () -> "compacting tablet %d failed: %s".formatted(tabletId, e));
            rest(tabletId, job.hosted().tablet.tree().changes(), AFTER_FAILURE);
            giveUp(tabletId, job.request(), e);
        }
    }

    private void giveUp(long tabletId, @Nullable Request request, RuntimeException failure) {
        if (request == null) {
            return;
        }
        lock.lock();
        try {
            requests.remove(tabletId, request);
        } finally {
            lock.unlock();
        }
        finish(request, failure);
    }

    private CompactionPacer newPacer(Job job) {
        return new CompactionPacer(
                env,
                () ->
                        Pace.bytesPerSecond(
                                mostLevel0Runs(),
                                Admission.SOFT_RUNS,
                                flusher.rate().bytesPerSecond(env.nanoTime())),
                () -> signals.closing() || isGone(job));
    }

    /// Whether the tablet is gone or leaving, so that the output of the compaction is useless.
    private boolean isGone(Job job) {
        HostedTablet hosted = job.hosted();
        return hosted.departure() != null || journal.state().hosted(hosted.tablet.id()) != hosted;
    }

    private int mostLevel0Runs() {
        return journal.state().tablets().stream().mapToInt(Compactor::level0Runs).max().orElse(0);
    }
}
