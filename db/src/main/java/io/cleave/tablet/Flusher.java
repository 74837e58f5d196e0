package io.cleave.tablet;

import io.cleave.base.Env;
import io.cleave.lsm.table.Pacer;
import io.cleave.lsm.table.Slice;
import io.cleave.tablet.pace.CompactionPacer;
import io.cleave.tablet.pace.FlushPicker.Candidate;
import io.cleave.tablet.pace.FlushPicker.Choice;
import io.cleave.tablet.pace.FlushRate;
import io.cleave.tablet.pace.LogMeter;
import io.cleave.tablet.pace.MemtableBudget;
import io.cleave.tablet.pace.Pace;
import io.cleave.tablet.record.CellRecord.Flushed;
import io.cleave.tablet.record.CellRecord.Freeze;
import io.cleave.tablet.record.Unflushed;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;

/// Flushes a cell's memtables to files and trims the log.
///
/// Threads: one flushes; any may ask for a flush or for sizes.
final class Flusher implements MemtableBudget.Member {
    /// A state is logged when the log since the last state is at least this many times its size.
    private static final int STATES_APART = 4;

    private static final long NANOS_PER_MILLI = 1_000_000;

    // ---- constant after construction

    private final CellJournal journal;
    private final CellOptions options;
    private final Background background;
    private final UpkeepSignals signals;
    private final Env env;

    // ---- own synchronisation

    private final FlushRate rate;

    /// Set when the log has become long and the flushing thread was woken for it.
    private final AtomicBoolean toldOfLog = new AtomicBoolean();

    private volatile long stateBytes;

    // ---- used only by the flushing thread

    /// [LogMeter#totalBytes] at the last state.
    private long stateAtBytes;

    Flusher(
            CellJournal journal,
            CellOptions options,
            Background background,
            UpkeepSignals signals,
            Env env) {
        this.journal = journal;
        this.options = options;
        this.background = background;
        this.signals = signals;
        this.env = env;
        rate = new FlushRate(env.nanoTime());
    }

    FlushRate rate() {
        return rate;
    }

    /// The size of the last logged state.
    long stateBytes() {
        return stateBytes;
    }

    @Override
    public long cellId() {
        return journal.cellId();
    }

    @Override
    public List<Candidate> candidates() {
        LogMeter log = journal.state().log();
        long now = env.nanoTime();
        return journal.state().tablets().stream()
                .filter(hosted -> !hosted.isClean() && hosted.departure() == null)
                .map(
                        hosted ->
                                new Candidate(
                                        journal.cellId(),
                                        hosted.tablet.id(),
                                        hosted.restingBytes(),
                                        hosted.isFlushDue(),
                                        log.bytesFrom(hosted.neededFrom()),
                                        options.replayBytes() / 2,
                                        hosted.erasesAgeNanos(now) / NANOS_PER_MILLI,
                                        options.flushAgeMillis()))
                .toList();
    }

    @Override
    public long frozenBytes() {
        return journal.state().tablets().stream()
                .filter(HostedTablet::isFlushDue)
                .mapToLong(hosted -> hosted.tablet.tree().frozenBytes())
                .sum();
    }

    @Override
    public void wake() {
        signals.wake();
    }

    /// Called after commits have put this many bytes into memtables.
    void appended(long bytes) {
        background.budget().grew(bytes);
        boolean isLong = journal.state().log().keptBytes() > options.replayBytes() / 2;
        if (isLong && toldOfLog.compareAndSet(false, true)) {
            signals.wake();
        }
    }

    /// Writes the current memtables of these tablets to files. Returns when the files belong to the
    /// tablets.
    void flush(List<Long> tabletIds) {
        for (long tabletId : tabletIds) {
            HostedTablet hosted = journal.state().hosted(tabletId);
            if (hosted != null) {
                var _ = flush(hosted);
            }
        }
    }

    /// Has everything that is in the tablet's memtables now written to files, and waits until the
    /// files belong to the tablet. Returns the generation of the last flushed memtable.
    long flush(HostedTablet hosted) {
        journal.run(new Freeze(hosted.tablet.id()));
        long generation = hosted.tablet.tree().lastGeneration();
        signals.wake();
        while (hosted.lastFlushed() < generation
                && hosted.departure() == null
                && journal.state().hosted(hosted.tablet.id()) == hosted) {
            signals.checkWritable();
            signals.awaitProgress();
        }
        return generation;
    }

    // ---- the flushing thread

    /// Flushes the tablet that needs it most. Returns false if there was nothing to do.
    boolean runOnce() throws InterruptedException {
        try {
            toldOfLog.set(false);
            boolean done = flushOnce();
            signals.setFlushFailure(null);
            return done;
        } catch (RuntimeException | Error e) {
            signals.setFlushFailure(String.valueOf(e.getMessage()));
            throw e;
        }
    }

    private boolean flushOnce() throws InterruptedException {
        Optional<Choice> choice = background.budget().pickFor(this);
        if (choice.isPresent()) {
            flush(choice.get().candidate());
            // Counts the memory again, because commits of other cells may be waiting for it. Also
            // wakes the cell that should flush next.
            var _ = background.budget().pickFor(this);
        }
        boolean logged = checkpointIfDue();
        return choice.isPresent() || logged;
    }

    private void flush(Candidate candidate) throws InterruptedException {
        long tabletId = candidate.tabletId();
        HostedTablet hosted = journal.state().hosted(tabletId);
        if (hosted == null) {
            return;
        }
        // Erases may be both in a memtable that a split has frozen and in the active one.
        boolean isAboutErases =
                !candidate.frozen() && candidate.erasesAgeMillis() > candidate.mostAgeMillis();
        boolean isActive = hosted.tablet.tree().activeBytes() > 0;
        if (hosted.frozen().isEmpty() || (isAboutErases && isActive)) {
            journal.run(new Freeze(tabletId));
        }
        background.slots().takeForFlush();
        try {
            while (!hosted.frozen().isEmpty()
                    && hosted.departure() == null
                    && journal.state().hosted(tabletId) == hosted) {
                flushOldest(hosted);
            }
        } finally {
            background.slots().giveBack();
        }
    }

    private void flushOldest(HostedTablet hosted) {
        Unflushed oldest = hosted.frozen().getFirst();
        Pacer pacer = new CompactionPacer(env, () -> Pace.UNLIMITED, signals::closing);
        long removable = hosted.tablet.removableBefore(journal.timeline().horizon());
        List<Slice> slices =
                hosted.tablet
                        .tree()
                        .maintenance()
                        .writeTables(oldest.generation(), removable, pacer);
        if (env.mayFail("the record of a flush")) {
            throw new UncheckedIOException(new IOException("bad luck after a flush"));
        }
        journal.run(new Flushed(hosted.tablet.id(), oldest.generation(), slices), hosted, slices);
        rate.flushed(slices.stream().mapToLong(Slice::bytes).sum(), env.nanoTime());
        signals.progressed();
    }

    private boolean checkpointIfDue() {
        LogMeter log = journal.state().log();
        if (!isDue(log) && !givesUpMuch(log)) {
            return false;
        }
        stateAtBytes = log.totalBytes();
        stateBytes = journal.checkpoint();
        signals.progressed();
        return true;
    }

    private boolean isDue(LogMeter log) {
        long apart = Math.min(options.stateBytes(), options.replayBytes() / 8);
        long since = log.totalBytes() - stateAtBytes;
        return since >= Math.max(apart, STATES_APART * stateBytes);
    }

    /// Whether a checkpoint would free much of a long log. Writers may be waiting for it.
    private boolean givesUpMuch(LogMeter log) {
        long kept = log.keptBytes();
        if (kept <= options.replayBytes() / 2) {
            return false;
        }
        long needed = log.bytesFrom(journal.state().neededFrom(Long.MAX_VALUE));
        return kept - needed > kept / 4;
    }
}
