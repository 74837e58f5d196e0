package io.cleave.ttl;

import io.cleave.schema.Table;
import io.cleave.schema.TableOptions.Ttl;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;

/// When a table is gone over next, and how the last run went. Under the lock of [TtlRuns].
final class TableTtl {
    /// Who has waited longest first.
    static final Comparator<TableTtl> BY_TURN =
            Comparator.comparingLong((TableTtl table) -> table.nextMicros)
                    .thenComparingLong(table -> table.tableId);

    private final long tableId;
    private final TtlOptions options;

    private @Nullable Ttl ttl;
    private boolean running;

    /// The run under way may go by another TTL than the table has now.
    private boolean changed;

    private long nextMicros;

    /// When the run that is under way began, or the last one; 0: there was none.
    private long begunMicros;

    private long endedMicros;

    /// When the last run began that has been everywhere.
    private long completeMicros;

    private long processed;
    private long erased;
    private long dropped;
    private long totalErased;
    private @Nullable String failure;

    /// By the ids of tablets: of the last whole run, and then of the one under way.
    private final Map<Long, TtlRuns.TabletRun> tablets = new HashMap<>();

    private final Set<Long> seen = new HashSet<>();

    TableTtl(long tableId, TtlOptions options) {
        this.tableId = tableId;
        this.options = options;
    }

    long tableId() {
        return tableId;
    }

    boolean isRunning() {
        return running;
    }

    long completeMicros() {
        return completeMicros;
    }

    /// The table has this TTL now. One that it did not have before is begun with soon.
    void see(Ttl seen, long nowMicros) {
        if (!seen.equals(ttl)) {
            ttl = seen;
            changed = true;
            completeMicros = 0;
            nextMicros = nowMicros + micros(options.firstRun());
        }
    }

    boolean isDue(long nowMicros) {
        if (running || ttl == null) {
            return false;
        }
        // A clock that was put back does not stop it.
        long longest = micros(options.firstRun()) + micros(runInterval());
        return nowMicros >= nextMicros || nextMicros - nowMicros > longest;
    }

    void begin(long nowMicros) {
        running = true;
        changed = false;
        begunMicros = nowMicros;
        processed = 0;
        erased = 0;
        dropped = 0;
        failure = null;
        seen.clear();
    }

    void finished(long tabletId, TtlRuns.TabletRun run) {
        tablets.put(tabletId, run);
        seen.add(tabletId);
    }

    TtlRuns.@Nullable TabletRun tablet(long tabletId) {
        return tablets.get(tabletId);
    }

    void went(long moreProcessed, long moreErased, long moreDropped) {
        processed += moreProcessed;
        erased += moreErased;
        dropped += moreDropped;
        totalErased += moreErased;
    }

    /// One that has not been everywhere, and does not say why, has found that the table has another
    /// TTL than when it began, or none.
    void end(long nowMicros, boolean complete, @Nullable String why) {
        running = false;
        endedMicros = nowMicros;
        failure = why;
        if (complete && !changed) {
            completeMicros = begunMicros;
        }
        if (complete) {
            // Of the others the keys are in tablets that were gone over.
            tablets.keySet().retainAll(seen);
        }
        long next = nextAfter(nowMicros, complete, why != null);
        nextMicros = changed ? Math.min(nextMicros, next) : next;
    }

    private long nextAfter(long nowMicros, boolean complete, boolean failed) {
        if (complete) {
            // From the beginning of the last run on, so that runs keep their distance however long
            // they take; one that takes longer than that is followed by the next at once.
            return Math.max(nowMicros, begunMicros + micros(runInterval()));
        }
        long pause = micros(failed ? options.retry() : options.firstRun());
        return nowMicros + Math.min(pause, micros(runInterval()));
    }

    private Duration runInterval() {
        return ttl == null || ttl.runIntervalSeconds() == 0
                ? options.runInterval()
                : Duration.ofSeconds(ttl.runIntervalSeconds());
    }

    private static long micros(Duration duration) {
        return duration.toNanos() / 1000;
    }

    TtlRuns.Info info(Table table, Ttl shown, OptionalLong backlogRows) {
        return new TtlRuns.Info(
                table,
                shown,
                running ? TtlRuns.State.RUNNING : TtlRuns.State.WAITING,
                micros(runInterval()),
                begunMicros,
                running ? 0 : Math.max(0, endedMicros - begunMicros),
                processed,
                erased,
                dropped,
                totalErased,
                running ? 0 : nextMicros,
                backlogRows,
                Optional.ofNullable(failure));
    }
}
