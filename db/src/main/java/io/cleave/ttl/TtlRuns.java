package io.cleave.ttl;

import com.google.errorprone.annotations.concurrent.GuardedBy;

import io.cleave.base.Env;
import io.cleave.base.StatusException;
import io.cleave.cluster.ExpiredFiles;
import io.cleave.cluster.TabletMap;
import io.cleave.cluster.Tablets;
import io.cleave.schema.KeyRange;
import io.cleave.schema.Table;
import io.cleave.schema.TableOptions.Ttl;
import io.cleave.txn.OptimisticTransactions;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/// Runs TTL erasure over every table with a TTL, again and again. Each run has its own thread, and
/// the number of concurrent runs is limited.
///
/// Nothing is stored: the catalog says which tables have a TTL, and after a start every table is
/// visited soon. Rows that an interrupted run has erased stay erased, and the next run finds the
/// rest.
///
/// Threads: any.
public final class TtlRuns implements AutoCloseable {
    private static final System.Logger LOGGER = System.getLogger(TtlRuns.class.getName());

    /// Limit of concurrent runs.
    static final int MOST_RUNS = 4;

    private static final Duration LONGEST_LOOK = Duration.ofSeconds(1);

    private final Tablets tablets;
    private final OptimisticTransactions transactions;
    private final TtlOptions options;
    private final Env env;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();

    /// By table id.
    @GuardedBy("lock")
    private final Map<Long, TableTtl> tables = new HashMap<>();

    @GuardedBy("lock")
    private int running;

    private final LongAdder processed = new LongAdder();
    private final LongAdder erased = new LongAdder();

    private volatile boolean closed;

    public TtlRuns(
            Tablets tablets, OptimisticTransactions transactions, TtlOptions options, Env env) {
        this.tablets = tablets;
        this.transactions = transactions;
        this.options = options;
        this.env = env;
    }

    /// The last time that all keys of a tablet were visited.
    public record TabletRun(long endedMicros, long processed, long erased) {}

    /// The TTL state of a table.
    ///
    /// @param state whether a run is in progress
    /// @param backlogRows approximate number of rows that have expired and still exist, according
    ///   to file statistics; empty if the files have none
    /// @param failure why the last run failed
    public record Info(
            Table table,
            Ttl ttl,
            State state,
            long runIntervalMicros,
            long lastRunMicros,
            long lastDurationMicros,
            long processed,
            long erased,
            long dropped,
            long totalErased,
            long nextRunMicros,
            OptionalLong backlogRows,
            Optional<String> failure) {}

    public enum State {
        WAITING,
        RUNNING
    }

    public void start() {
        env.spawn("ttl", this::watch);
    }

    private void watch() {
        try {
            while (!closed) {
                beginDue();
                lock.lock();
                try {
                    env.await(changed, look());
                } finally {
                    lock.unlock();
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private Duration look() {
        Duration quarter = options.runInterval().dividedBy(4);
        return quarter.compareTo(LONGEST_LOOK) < 0 ? quarter : LONGEST_LOOK;
    }

    private void beginDue() {
        List<TableTtl> due = new ArrayList<>();
        long now = env.wallMicros();
        lock.lock();
        try {
            adapt(now);
            tables.values().stream()
                    .filter(table -> table.isDue(now))
                    .sorted(TableTtl.BY_TURN)
                    .limit(Math.max(0, MOST_RUNS - running))
                    .forEach(due::add);
            due.forEach(table -> table.begin(now));
            running += due.size();
        } finally {
            lock.unlock();
        }
        due.forEach(table -> env.spawnBackground("ttl-" + table.tableId(), () -> run(table)));
    }

    /// Adds new tables, removes dropped ones, and notes changed settings.
    @GuardedBy("lock")
    private void adapt(long now) {
        Map<Long, Table> there = new HashMap<>();
        for (Table table : tablets.tables()) {
            if (table.options().ttl().isPresent() && table.isMounted()) {
                there.put(table.id(), table);
            }
        }
        tables.values()
                .removeIf(table -> !table.isRunning() && !there.containsKey(table.tableId()));
        there.forEach(
                (id, table) ->
                        tables.computeIfAbsent(id, _ -> new TableTtl(id, options))
                                .see(table.options().ttl().orElseThrow(), now));
    }

    private void run(TableTtl state) {
        @Nullable String failure = null;
        boolean complete = false;
        try {
            Optional<Table> table = find(state.tableId());
            Optional<ExpiryRule> rule = table.flatMap(ExpiryRule::of);
            if (rule.isPresent()) {
                complete = run(state, table.get(), rule.get());
            }
        } catch (StatusException e) {
            failure = String.valueOf(e.getMessage());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (RuntimeException | Error e) {
            failure = String.valueOf(e);
            throw e;
        } finally {
            end(state, complete, failure);
        }
    }

    private boolean run(TableTtl state, Table table, ExpiryRule rule) throws InterruptedException {
        var progress =
                new EraseProgress() {
                    @Override
                    public void went(long moreProcessed, long moreErased, long moreDropped) {
                        processed.add(moreProcessed);
                        erased.add(moreErased);
                        lock.lock();
                        try {
                            state.went(moreProcessed, moreErased, moreDropped);
                        } finally {
                            lock.unlock();
                        }
                    }

                    @Override
                    public void finished(long tabletId, long ofProcessed, long ofErased) {
                        lock.lock();
                        try {
                            state.finished(
                                    tabletId,
                                    new TabletRun(env.wallMicros(), ofProcessed, ofErased));
                        } finally {
                            lock.unlock();
                        }
                    }

                    @Override
                    public boolean isStopped() {
                        return closed;
                    }
                };
        return new EraseRun(tablets, transactions, env, options.rest(), table, rule, progress)
                .run();
    }

    private void end(TableTtl state, boolean complete, @Nullable String failure) {
        lock.lock();
        try {
            running--;
            state.end(env.wallMicros(), complete, failure);
            changed.signalAll();
        } finally {
            lock.unlock();
        }
        if (failure != null && !closed) {
            String path = find(state.tableId()).map(Table::path).orElse("a dropped table");
            LOGGER.log(
                    System.Logger.Level.WARNING,
                    () -> "could not erase the expired rows of '%s': %s".formatted(path, failure));
        }
    }

    private Optional<Table> find(long tableId) {
        return tablets.tables().stream().filter(table -> table.id() == tableId).findFirst();
    }

    /// Sorted by path.
    public List<Info> list() {
        List<Info> all = new ArrayList<>();
        long now = env.wallMicros();
        for (Table table : tablets.tables()) {
            ExpiryRule.of(table).ifPresent(rule -> all.add(info(table, rule, now)));
        }
        return all;
    }

    private Info info(Table table, ExpiryRule rule, long now) {
        lock.lock();
        try {
            TableTtl state = tables.getOrDefault(table.id(), new TableTtl(table.id(), options));
            return state.info(table, rule.ttl(), backlog(table, rule, state, now));
        } finally {
            lock.unlock();
        }
    }

    /// Rows that expired before the last complete run are already erased.
    private OptionalLong backlog(Table table, ExpiryRule rule, TableTtl state, long now) {
        long complete = state.completeMicros();
        long after = complete == 0 ? Long.MIN_VALUE : rule.limitMicros(complete);
        Optional<KeyRange> keys =
                complete == 0
                        ? rule.expiredKeys(table, now)
                        : rule.expiredKeysSince(table, complete, now);
        try {
            TabletMap map = tablets.map(table);
            return keys.isPresent()
                    ? ExpiredFiles.rows(map, keys.get())
                    : ExpiredFiles.rows(table, map, after, rule.limitMicros(now));
        } catch (StatusException _) {
            // The table is gone.
            return OptionalLong.empty();
        }
    }

    /// Empty if the tablet has not been visited since it was created.
    public Optional<TabletRun> tablet(long tableId, long tabletId) {
        lock.lock();
        try {
            return Optional.ofNullable(tables.get(tableId)).map(table -> table.tablet(tabletId));
        } finally {
            lock.unlock();
        }
    }

    /// Number of rows examined in all tables since the process started.
    public long processed() {
        return processed.sum();
    }

    public long erased() {
        return erased.sum();
    }

    /// Stops without waiting, as in a crash: no new run begins.
    public void abandon() {
        closed = true;
        lock.lock();
        try {
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /// Ends all runs, and returns when they have ended.
    @Override
    public void close() {
        abandon();
        lock.lock();
        try {
            while (running > 0) {
                env.await(changed, LONGEST_LOOK);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            lock.unlock();
        }
    }
}
