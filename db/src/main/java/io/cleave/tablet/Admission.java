package io.cleave.tablet;

import io.cleave.base.Env;
import io.cleave.base.Status;
import io.cleave.base.StatusException;
import io.cleave.tablet.meter.TabletMeter;
import io.cleave.tablet.pace.BackPressure;
import io.cleave.tablet.pace.BackPressure.Answer;
import io.cleave.tablet.pace.BackPressure.Limit;
import io.cleave.tablet.pace.BackPressure.Limits;
import io.cleave.tablet.pace.BackPressure.Waiting;
import io.cleave.tablet.pace.MemtableBudget;
import io.cleave.tablet.record.TabletWrites;

import java.time.Duration;
import java.util.List;
import java.util.Optional;

/// Admission control for the commits of a cell: delays or refuses commits so that writers do not
/// outrun flushes and compactions. Threads: any.
final class Admission {
    /// Level-0 runs of one tablet from which commits to it are delayed.
    static final int SOFT_RUNS = 12;

    private static final int HARD_RUNS = 24;

    private final CellJournal journal;
    private final CellState state;
    private final CellOptions options;
    private final MemtableBudget budget;
    private final Flusher flusher;
    private final UpkeepSignals signals;
    private final Env env;

    Admission(
            CellJournal journal,
            CellOptions options,
            MemtableBudget budget,
            Flusher flusher,
            UpkeepSignals signals,
            Env env) {
        this.journal = journal;
        state = journal.state();
        this.options = options;
        this.budget = budget;
        this.flusher = flusher;
        this.signals = signals;
        this.env = env;
    }

    /// Returns when the commit may proceed. Throws OVERLOADED if no room became free in time, and
    /// UNAVAILABLE if the cell takes no writes now.
    void admit(List<TabletWrites> writes, int recordBytes) {
        try {
            state.changeQueues().admit(writes, state::tablet, env);
            awaitRoom(writes, recordBytes);
        } catch (StatusException e) {
            if (e.status() == Status.OVERLOADED) {
                countRejected(writes);
            }
            throw e;
        }
    }

    private void countRejected(List<TabletWrites> writes) {
        for (TabletWrites part : writes) {
            Tablet tablet = state.tablet(part.tabletId());
            if (tablet != null) {
                tablet.transactions().rejected();
            }
        }
    }

    /// Admits an operation that adds files or erases to a tablet without using its memtables. It
    /// counts as a commit without rows.
    void admitFiles(long tabletId) {
        awaitRoom(List.of(new TabletWrites(tabletId, List.of())), 0);
    }

    private void awaitRoom(List<TabletWrites> writes, long commitBytes) {
        signals.checkWritable();
        switch (decide(writes, commitBytes)) {
            case Answer.Go _ -> {}
            case Answer.Delay(long nanos) -> {
                lagging(writes).ifPresent(meter -> meter.waited(nanos));
                sleep(nanos);
            }
            case Answer.Stop _ -> waitForRoom(writes, commitBytes);
        }
    }

    /// The meter of the tablet with the most level-0 runs above the soft limit, if there is one.
    private Optional<TabletMeter> lagging(List<TabletWrites> writes) {
        Tablet most = null;
        for (TabletWrites part : writes) {
            Tablet tablet = state.tablet(part.tabletId());
            if (tablet != null
                    && tablet.tree().level0Runs() > SOFT_RUNS
                    && (most == null || tablet.tree().level0Runs() > most.tree().level0Runs())) {
                most = tablet;
            }
        }
        return Optional.ofNullable(most).map(Tablet::meter);
    }

    /// Whether [#admit] would return at once.
    boolean admitsNow(List<TabletWrites> writes, int recordBytes) {
        if (!state.changeQueues().haveRoom(writes, state::tablet)) {
            return false;
        }
        signals.checkWritable();
        return decide(writes, recordBytes) instanceof Answer.Go;
    }

    /// Whether any commit to this cell would be delayed or would wait now.
    boolean isHeldBack() {
        return !(decide(List.of(), 0) instanceof Answer.Go)
                || state.liveTablets().stream()
                        .anyMatch(tablet -> tablet.tree().level0Runs() > SOFT_RUNS);
    }

    private Answer decide(List<TabletWrites> writes, long commitBytes) {
        int runs = 0;
        for (TabletWrites part : writes) {
            Tablet tablet = state.tablet(part.tabletId());
            if (tablet != null) {
                runs = Math.max(runs, tablet.tree().level0Runs());
            }
        }
        long replayBytes = Math.max(options.replayBytes(), 8 * flusher.stateBytes());
        var limits =
                new Limits(
                        new Limit(SOFT_RUNS, HARD_RUNS),
                        new Limit(options.stallBytes() * 2 / 3, options.stallBytes()),
                        new Limit(
                                replayBytes * 3 / 4,
                                Math.max(
                                        replayBytes * 3 / 4 + 1,
                                        replayBytes - flusher.stateBytes() - commitBytes)));
        // The catalog may write even when other cells have filled the memory: it makes room.
        long usedBytes = journal.cellId() == CellJournal.SYSTEM_ID ? 0 : budget.usedBytes();
        var waiting = new Waiting(runs, usedBytes, state.log().keptBytes());
        return BackPressure.decide(waiting, limits, commitBytes);
    }

    private void waitForRoom(List<TabletWrites> writes, long commitBytes) {
        Optional<TabletMeter> lagging = lagging(writes);
        long began = env.nanoTime();
        long deadline = began + options.stallMillis() * 1_000_000;
        while (decide(writes, commitBytes) instanceof Answer.Stop(String why)) {
            if (env.nanoTime() - deadline >= 0) {
                lagging.ifPresent(TabletMeter::rejected);
                throw new StatusException(
                        Status.OVERLOADED,
                        "cell %d takes no more writes now: %s; try again later, or write more slowly"
                                .formatted(journal.cellId(), why));
            }
            signals.checkWritable();
            signals.awaitProgress();
        }
        lagging.ifPresent(meter -> meter.waited(env.nanoTime() - began));
    }

    private void sleep(long nanos) {
        try {
            env.sleep(Duration.ofNanos(nanos));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new StatusException(Status.CANCELLED, "interrupted");
        }
    }
}
