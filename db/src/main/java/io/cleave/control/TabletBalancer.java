package io.cleave.control;

import com.google.errorprone.annotations.concurrent.GuardedBy;

import io.cleave.balance.BalanceSettings;
import io.cleave.balance.Balancer;
import io.cleave.balance.Decision;
import io.cleave.balance.Decision.Leave;
import io.cleave.balance.Decision.Merge;
import io.cleave.balance.Decision.Split;
import io.cleave.balance.Decision.Warn;
import io.cleave.balance.TableState;
import io.cleave.base.Bytes;
import io.cleave.base.Env;
import io.cleave.base.StatusException;
import io.cleave.catalog.DecisionRows;
import io.cleave.cluster.Resharding;
import io.cleave.cluster.TabletInfo;
import io.cleave.cluster.TabletMap;
import io.cleave.cluster.Tablets;
import io.cleave.control.TabletDecision.State;
import io.cleave.schema.KeyRange;
import io.cleave.schema.Table;
import io.cleave.tablet.Tablet;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/// Splits and merges tablets automatically. It looks at every table ten times in a load window or
/// once a second, whichever is more often, but less often if a look is expensive. It asks
/// [Balancer] for decisions and carries them out: all splits of a table one after the other, or one
/// merge.
///
/// Threads: any. One thread looks at the tables, and each table that is changed has its own thread.
public final class TabletBalancer implements AutoCloseable {
    private static final System.Logger LOGGER = System.getLogger(TabletBalancer.class.getName());

    /// Limit of the tables changed at the same time.
    private static final int MOST_CHANGES = 4;

    /// The number of looks in a load window.
    private static final int LOOKS_PER_WINDOW = 10;

    private static final Duration LONGEST_PAUSE = Duration.ofSeconds(1);

    private static final Duration MOST_PAUSE = Duration.ofSeconds(5);

    /// The pause after a look is at least this multiple of the look's duration, up to `MOST_PAUSE`.
    private static final int PAUSE_PER_LOOK = 20;

    private final Tablets tablets;
    private final BalanceSettings settings;
    private final Env env;

    /// The pause between two looks, if a look is cheap.
    private final Duration usualPause;

    private final DecisionLog log;
    private final Verdicts verdicts;
    private final DecisionRun run;
    private final TopTablets tops = new TopTablets();

    /// Used only by the thread that looks at tables.
    private final ServingCost servingCost = new ServingCost();

    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();

    /// By table id.
    @GuardedBy("lock")
    private final Map<Long, TableWatch> watches = new HashMap<>();

    /// Tables that are being changed.
    @GuardedBy("lock")
    private final Set<Long> changing = new HashSet<>();

    @GuardedBy("lock")
    private final RetryDelays retryDelays = new RetryDelays();

    @GuardedBy("lock")
    private boolean running;

    @GuardedBy("lock")
    private boolean closed;

    /// Decisions are stored in `rows`.
    public TabletBalancer(
            Tablets tablets,
            Resharding resharding,
            DecisionRows rows,
            BalanceSettings settings,
            Env env) {
        this.tablets = tablets;
        this.settings = settings;
        this.env = env;
        Duration part = settings.loadWindow().dividedBy(LOOKS_PER_WINDOW);
        usualPause = part.compareTo(LONGEST_PAUSE) < 0 ? part : LONGEST_PAUSE;
        log = new DecisionLog(rows);
        verdicts = new Verdicts(log, settings);
        run = new DecisionRun(tablets, resharding, log, verdicts, env);
    }

    /// Starts looking at tables.
    public void start() {
        lock.lock();
        try {
            running = true;
        } finally {
            lock.unlock();
        }
        env.spawnBackground("tablet-balancer", this::run);
    }

    private void run() {
        try {
            Duration pause = usualPause;
            while (await(pause)) {
                long began = env.nanoTime();
                look();
                Duration took = Duration.ofNanos(env.nanoTime() - began);
                log.save(env.wallMicros());
                Duration least = took.multipliedBy(PAUSE_PER_LOOK);
                pause = least.compareTo(usualPause) > 0 ? least : usualPause;
                // On a busy machine a look takes long even if it uses little CPU time.
                pause = pause.compareTo(MOST_PAUSE) > 0 ? MOST_PAUSE : pause;
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            lock.lock();
            try {
                running = false;
                changed.signalAll();
            } finally {
                lock.unlock();
            }
        }
    }

    /// Returns false when the balancer is closed.
    private boolean await(Duration pause) throws InterruptedException {
        long until = env.nanoTime() + pause.toNanos();
        lock.lock();
        try {
            while (!closed && until - env.nanoTime() > 0) {
                env.await(changed, Duration.ofNanos(until - env.nanoTime()));
            }
            return !closed;
        } finally {
            lock.unlock();
        }
    }

    /// Looks at every table once.
    void look() {
        shareCost();
        Set<Long> there = new HashSet<>();
        for (Table table : tablets.tables()) {
            there.add(table.id());
            try {
                look(table);
            } catch (StatusException e) {
                LOGGER.log(
                        System.Logger.Level.DEBUG,
                        () -> "%s was not looked at: %s".formatted(table.path(), e.getMessage()));
            } catch (RuntimeException e) {
                // The other tables are still looked at, and this one is looked at again in the next
                // round.
                LOGGER.log(
                        System.Logger.Level.WARNING, table.path() + " could not be looked at", e);
            }
        }
        lock.lock();
        try {
            watches.keySet().retainAll(there);
            retryDelays.retain(there);
        } finally {
            lock.unlock();
        }
    }

    private void shareCost() {
        List<Tablet> all = new ArrayList<>();
        for (Table table : tablets.tables()) {
            try {
                tablets.map(table).routes().forEach(route -> all.add(route.tablet()));
            } catch (StatusException e) {
                // The table was just dropped.
                LOGGER.log(
                        System.Logger.Level.DEBUG,
                        () -> "%s is not counted: %s".formatted(table.path(), e.getMessage()));
            }
        }
        servingCost.share(all, env.servingCpuNanos());
    }

    private void look(Table table) {
        TableReview review = decide(table);
        long micros = env.wallMicros();
        seen(review, micros).forEach(tops::add);
        verdicts.look(table.id(), review.state(), micros);
        for (Decision decision : review.decisions()) {
            switch (decision) {
                case Split _, Merge _ -> {}
                case Leave _, Warn _ -> note(review, decision, State.NOTED, micros);
            }
        }
        // Each split is of a different tablet, and there is room for all of them. Splitting one
        // tablet per look would leave a table whose load has doubled uneven for a long time.
        List<Decision> changes = new ArrayList<>();
        for (Decision decision : review.decisions()) {
            if (decision instanceof Split || (decision instanceof Merge && changes.isEmpty())) {
                changes.add(decision);
            }
        }
        if (!changes.isEmpty()) {
            act(review, changes, micros);
        }
    }

    private TableReview decide(Table table) {
        lock.lock();
        try {
            long now = env.nanoTime();
            TabletMap map = tablets.map(table);
            TableWatch watch = watches.get(table.id());
            if (watch == null) {
                watch = new TableWatch(map, settings);
                watches.put(table.id(), watch);
            }
            TableState state = watch.look(table, map, now);
            return new TableReview(table, state, Balancer.decide(state, watch, settings));
        } finally {
            lock.unlock();
        }
    }

    private List<TopTablets.Seen> seen(TableReview review, long micros) {
        lock.lock();
        try {
            TableWatch watch = watches.get(review.table().id());
            return watch == null ? List.of() : watch.seen(review, micros);
        } finally {
            lock.unlock();
        }
    }

    private void note(TableReview review, Decision decision, State state, long micros) {
        var entry =
                TabletDecision.of(review.table(), review.range(decision), decision, state, micros);
        if (log.say(entry) && decision instanceof Warn) {
            LOGGER.log(
                    System.Logger.Level.WARNING,
                    () -> "%s: %s".formatted(entry.path(), entry.text()));
        }
    }

    private void act(TableReview review, List<Decision> changes, long micros) {
        Table table = review.table();
        if (!settings.enabled()) {
            changes.forEach(decision -> note(review, decision, State.PLANNED, micros));
            return;
        }
        if (!begin(table.id())) {
            return;
        }
        env.spawnBackground(
                "balance-" + table.id(),
                () -> {
                    boolean failed = true;
                    try {
                        failed = carryOut(review, changes);
                    } finally {
                        end(table.id(), failed);
                    }
                });
    }

    private boolean begin(long tableId) {
        lock.lock();
        try {
            return !closed
                    && !retryDelays.holds(tableId, env.nanoTime())
                    && changing.size() < MOST_CHANGES
                    && changing.add(tableId);
        } finally {
            lock.unlock();
        }
    }

    private boolean isClosed() {
        lock.lock();
        try {
            return closed;
        } finally {
            lock.unlock();
        }
    }

    private void end(long tableId, boolean failed) {
        lock.lock();
        try {
            changing.remove(tableId);
            if (failed) {
                retryDelays.failed(tableId, env.nanoTime());
            } else {
                retryDelays.succeeded(tableId);
            }
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /// Returns whether one of the changes failed; the remaining ones are tried nevertheless.
    private boolean carryOut(TableReview review, List<Decision> changes) {
        boolean failed = false;
        for (Decision decision : changes) {
            if (isClosed()) {
                break;
            }
            List<TabletInfo> made = run.run(review, decision);
            failed |= made.isEmpty();
            if (decision instanceof Split split) {
                remember(review, split, made);
            }
        }
        return failed;
    }

    /// Tablets that were split by load are not merged until their load is lower.
    private void remember(TableReview review, Split split, List<TabletInfo> made) {
        boolean byLoad =
                switch (split.rule()) {
                    case SPLIT_BY_LOAD, SPLIT_UNEVEN, SPLIT_BY_SATURATION, SPLIT_AHEAD -> true;
                    default -> false;
                };
        lock.lock();
        try {
            TableWatch watch = watches.get(review.table().id());
            if (byLoad && watch != null) {
                watch.cutByLoad(
                        made.stream().map(TabletInfo::tabletId).toList(), review.cores(split));
            }
        } finally {
            lock.unlock();
        }
    }

    /// The decisions for the table at present; none of them is carried out.
    public List<TabletDecision> plan(Table table) {
        TableReview review = decide(table);
        long micros = env.wallMicros();
        return review.decisions().stream()
                .map(
                        decision ->
                                TabletDecision.of(
                                        table,
                                        review.range(decision),
                                        decision,
                                        decision instanceof Split || decision instanceof Merge
                                                ? State.PLANNED
                                                : State.NOTED,
                                        micros))
                .toList();
    }

    /// The latest decisions of all tables, oldest first.
    public List<TabletDecision> decisions() {
        return log.list();
    }

    /// The number of decisions waiting to be saved; it grows while the system cell takes no writes.
    public int unsavedDecisions() {
        return log.unsaved();
    }

    /// The decisions about a table; with a key, about the tablets that contained the key.
    public List<TabletDecision> decisions(Table table, Optional<Bytes> key) {
        return log.list(table.id(), key.map(KeyRange::point).orElse(KeyRange.ALL));
    }

    /// The tablets with the most CPU time and the most broken locks, by minute and by hour.
    public TopTablets tops() {
        return tops;
    }

    public BalanceSettings settings() {
        return settings;
    }

    /// Whether no table is being changed at present.
    public boolean isAtRest() {
        lock.lock();
        try {
            return changing.isEmpty();
        } finally {
            lock.unlock();
        }
    }

    /// Waits for the change in progress, and saves the decisions.
    @Override
    public void close() {
        lock.lock();
        try {
            closed = true;
            changed.signalAll();
            while (running || !changing.isEmpty()) {
                env.await(changed, LONGEST_PAUSE);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return;
        } finally {
            lock.unlock();
        }
        log.saveAll();
    }
}
