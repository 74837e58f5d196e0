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

/// When a table is visited next, and how the last run went. Guarded by the lock of [TtlRuns].
final class TableTtl {
    /// The table that has waited longest comes first.
    static final Comparator<TableTtl> BY_TURN =
            Comparator.comparingLong((TableTtl table) -> table.nextMicros)
                    .thenComparingLong(table -> table.tableId);

    private final long tableId;
    private final TtlOptions options;

    private @Nullable Ttl ttl;
    private boolean running;

    /// Whether the current run may use another TTL than the table has now.
    private boolean changed;

    private long nextMicros;

    /// When the current or last run began; 0 if there was none.
    private long begunMicros;

    private long endedMicros;

    /// When the last run began that visited all tablets.
    private long completeMicros;

    private long processed;
    private long erased;
    private long dropped;
    private long totalErased;
    private @Nullable String failure;

    /// By tablet id: results of the current run, or else of the last complete one.
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

    /// Notes the current TTL of the table. After a change of the TTL, the next run starts soon.
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
        // A clock that was set back must not stop the runs.
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

    /// Ends a run. A run that is not complete and has no failure was ended because the TTL of the
    /// table was changed or removed, or because the node stops.
    void end(long nowMicros, boolean complete, @Nullable String why) {
        running = false;
        endedMicros = nowMicros;
        failure = why;
        if (complete && !changed) {
            completeMicros = begunMicros;
        }
        if (complete) {
            // The keys of all other tablets are now in tablets that were visited.
            tablets.keySet().retainAll(seen);
        }
        long next = nextAfter(nowMicros, complete, why != null);
        nextMicros = changed ? Math.min(nextMicros, next) : next;
    }

    private long nextAfter(long nowMicros, boolean complete, boolean failed) {
        if (complete) {
            // Counts from the beginning of the last run, so that the interval does not depend on
            // how long runs take. If a run takes longer than the interval, the next one follows at
            // once.
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
