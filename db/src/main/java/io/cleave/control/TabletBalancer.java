package io.cleave.control;

import com.google.errorprone.annotations.concurrent.GuardedBy;

import io.cleave.balance.BalanceSettings;
import io.cleave.balance.Decision;
import io.cleave.balance.Decision.Leave;
import io.cleave.balance.Decision.Merge;
import io.cleave.balance.Decision.Move;
import io.cleave.balance.Decision.Reshard;
import io.cleave.balance.Decision.Split;
import io.cleave.balance.Decision.Warn;
import io.cleave.balance.PolicyPerTable;
import io.cleave.base.Bytes;
import io.cleave.base.Direction;
import io.cleave.base.Env;
import io.cleave.base.StatusException;
import io.cleave.catalog.DecisionRows;
import io.cleave.catalog.RoundRows;
import io.cleave.cluster.Resharding;
import io.cleave.cluster.TabletInfo;
import io.cleave.cluster.Tablets;
import io.cleave.control.TabletDecision.State;
import io.cleave.control.action.TabletActions;
import io.cleave.control.round.BundleErrors;
import io.cleave.control.round.Rounds;
import io.cleave.schema.Balancer;
import io.cleave.schema.KeyRange;
import io.cleave.schema.Table;
import io.cleave.tablet.Route;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/// Splits, merges and moves tablets automatically. It looks at every table ten times in a load
/// window or once a second, whichever is more often, but less often if a look is expensive. It asks
/// a policy for decisions and carries them out: all splits of a table one after the other, or one
/// merge, or one move.
///
/// These are the tables of YDB's policy. YTsaurus' policy has rounds ([Rounds]), which are looked
/// after on the same thread.
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
    private final TabletActions actions;
    private final BalanceSettings settings;
    private final Env env;

    /// The pause between two looks, if a look is cheap.
    private final Duration usualPause;

    private final ClusterReviews reviews;
    private final PlanTurns turns = new PlanTurns();
    private final BalancePlans plans;
    private final DecisionLog log;
    private final Verdicts verdicts;
    private final ActionLog actionLog;
    private final DecisionRun run;
    private final Rounds rounds;
    private final TopTablets tops = new TopTablets();

    /// Used only by the thread that looks at tables.
    private final ServingCost servingCost = new ServingCost();

    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();

    /// Tables that are being changed.
    @GuardedBy("lock")
    private final Set<Long> changing = new HashSet<>();

    /// Cells that take part in a move. Until it is over, their load is not what was measured.
    @GuardedBy("lock")
    private final Set<Long> moving = new HashSet<>();

    @GuardedBy("lock")
    private final RetryDelays retryDelays = new RetryDelays();

    @GuardedBy("lock")
    private boolean running;

    @GuardedBy("lock")
    private boolean closed;

    /// Decisions are stored in `rows`, and what rounds have tested in `roundRows`.
    public TabletBalancer(
            Tablets tablets,
            Resharding resharding,
            DecisionRows rows,
            RoundRows roundRows,
            TabletActions actions,
            PolicyPerTable policies,
            BalanceSettings settings,
            Env env) {
        this.tablets = tablets;
        this.actions = actions;
        this.settings = settings;
        this.env = env;
        Duration part = settings.loadWindow().dividedBy(LOOKS_PER_WINDOW);
        usualPause = part.compareTo(LONGEST_PAUSE) < 0 ? part : LONGEST_PAUSE;
        var limits = DecisionLimits.keeping(settings.keepDecisions());
        log = new DecisionLog(rows, limits, env.wallMicros(), ActionLog.goingOn(actions));
        verdicts = new Verdicts(log, settings);
        actionLog = new ActionLog(log, verdicts, env);
        run = new DecisionRun(resharding, log, verdicts, env);
        reviews = new ClusterReviews(tablets, policies, settings, env);
        var roundRun = new RoundRun(tablets, actions, actionLog, log, settings, env);
        plans = new BalancePlans(reviews, turns, settings, tablets, env);
        var cluster = new WatchedCluster(tablets, reviews, settings);
        rounds = new Rounds(cluster, roundRun, roundRows, env);
    }

    /// Starts looking at tables and carrying out actions.
    public void start() {
        actions.start(actionLog);
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
                tryTo("balance tablets", this::look);
                tryTo("go on with cells", tablets.cellLifecycle()::proceed);
                tryTo("look at rounds", rounds::look);
                Duration took = Duration.ofNanos(env.nanoTime() - began);
                log.save(env.wallMicros());
                log.erase(env.wallMicros());
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

    /// Whatever fails is tried again after the pause.
    private static void tryTo(String what, Runnable step) {
        try {
            step.run();
        } catch (RuntimeException e) {
            LOGGER.log(System.Logger.Level.WARNING, "could not " + what, e);
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
        List<TableReview> found = reviews.review(Balancer.YDB);
        long micros = env.wallMicros();
        for (TableReview review : found) {
            try {
                follow(review, micros);
            } catch (RuntimeException e) {
                // The other tables are still balanced.
                LOGGER.log(
                        System.Logger.Level.WARNING,
                        "the tablets of " + review.table().path() + " could not be balanced",
                        e);
            }
        }
        lock.lock();
        try {
            retryDelays.retain(found.stream().map(review -> review.table().id()).toList());
        } finally {
            lock.unlock();
        }
    }

    private void shareCost() {
        List<Route> all = new ArrayList<>();
        for (Table table : tablets.tables()) {
            try {
                all.addAll(tablets.map(table).routes());
            } catch (StatusException e) {
                // The table was just dropped.
                LOGGER.log(
                        System.Logger.Level.DEBUG,
                        () -> "%s is not counted: %s".formatted(table.path(), e.getMessage()));
            }
        }
        servingCost.share(all, env.servingCpuNanos());
    }

    private void follow(TableReview review, long micros) {
        reviews.samples(review.state(), micros).forEach(tops::add);
        verdicts.look(review.cluster(), review.state(), micros);
        // Each split is of a different tablet, and there is room for all of them. Splitting one
        // tablet per look would leave a table whose load has doubled uneven for a long time.
        List<Decision> changes = new ArrayList<>();
        for (Decision decision : review.decisions()) {
            switch (decision) {
                case Split _ -> changes.add(decision);
                case Merge _, Move _, Reshard _ -> {
                    if (changes.isEmpty() || review.isLeaving()) {
                        changes.add(decision);
                    }
                }
                case Leave _, Warn _ -> note(review, decision, State.NOTED, micros);
            }
        }
        // The tablets of a table that is not mounted stay as its user has put them, unless their
        // cell is being removed.
        if (!changes.isEmpty() && (review.table().isMounted() || review.isLeaving())) {
            act(review, changes, micros);
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
        if (!settings.enabled() && !review.isLeaving()) {
            changes.forEach(decision -> note(review, decision, State.PLANNED, micros));
            return;
        }
        // The load of a cell that is being removed decides nothing.
        Set<Long> cellIds = review.isLeaving() ? Set.of() : cells(changes);
        if (!begin(table.id(), cellIds)) {
            return;
        }
        env.spawnBackground(
                "balance-" + table.id(),
                () -> {
                    boolean failed = true;
                    try {
                        failed = carryOut(review, changes);
                    } finally {
                        end(table.id(), cellIds, failed);
                    }
                });
    }

    /// The cells between which tablets are moved.
    private static Set<Long> cells(List<Decision> changes) {
        Set<Long> cellIds = new HashSet<>();
        for (Decision change : changes) {
            if (change instanceof Move move) {
                cellIds.add(move.fromCellId());
                cellIds.add(move.toCellId());
            }
        }
        return cellIds;
    }

    private boolean begin(long tableId, Set<Long> cellIds) {
        lock.lock();
        try {
            boolean begins =
                    !closed
                            && !retryDelays.holds(tableId, env.nanoTime())
                            && changing.size() < MOST_CHANGES
                            && !actions.isChanging(tableId)
                            && Collections.disjoint(moving, cellIds)
                            && changing.add(tableId);
            if (begins) {
                moving.addAll(cellIds);
            }
            return begins;
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

    private void end(long tableId, Set<Long> cellIds, boolean failed) {
        lock.lock();
        try {
            changing.remove(tableId);
            moving.removeAll(cellIds);
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
        if (byLoad) {
            reviews.cutByLoad(
                    review.table().id(),
                    made.stream().map(TabletInfo::tabletId).toList(),
                    review.cores(split));
        }
    }

    /// Whether the bundle has unfinished actions. Until they end, it has no round.
    public boolean isBusy(String bundle) {
        return !actions.unfinished(bundle).isEmpty();
    }

    /// What would be done at present.
    public BalancePlans plans() {
        return plans;
    }

    /// The latest decisions of all tables, oldest first.
    public List<TabletDecision> decisions() {
        return log.latest();
    }

    /// All decisions with numbers from `from` (included) to `to` (excluded), in this direction.
    /// They are read when they are needed.
    public Iterator<TabletDecision> decisions(long from, long to, Direction direction) {
        return log.scan(from, to, direction);
    }

    /// Every change that was decided at this time or later is known.
    public long decisionsSinceMicros() {
        return log.sinceMicros();
    }

    /// The number of decisions waiting to be saved; it grows while the system cell takes no writes.
    public int unsavedDecisions() {
        return log.unsaved();
    }

    /// The latest decisions about a table; with a key, about the tablets that contained the key.
    public DecisionAnswer decisions(Table table, Optional<Bytes> key) {
        return log.about(table.id(), key.map(KeyRange::point).orElse(KeyRange.ALL));
    }

    /// The tablets with the most CPU time and the most broken locks, by minute and by hour.
    public TopTablets tops() {
        return tops;
    }

    public BalanceSettings settings() {
        return settings;
    }

    /// What keeps bundles from being balanced by YTsaurus' rules.
    public BundleErrors bundleErrors() {
        return rounds.errors();
    }

    /// The changes of tablets that are stored as actions.
    public TabletActions actions() {
        return actions;
    }

    /// What users ask the balancer for.
    public BalanceCommands commands() {
        return new BalanceCommands(reviews, turns, actions, actionLog);
    }

    /// Whether no table is being changed at present.
    public boolean isAtRest() {
        lock.lock();
        try {
            return changing.isEmpty() && actions.isAtRest();
        } finally {
            lock.unlock();
        }
    }

    /// Waits for the changes in progress, and saves the decisions.
    @Override
    public void close() {
        lock.lock();
        try {
            closed = true;
            changed.signalAll();
            boolean interrupted = false;
            while (running || !changing.isEmpty()) {
                interrupted |= env.awaitUninterrupted(changed, LONGEST_PAUSE);
            }
            Env.restoreInterrupt(interrupted);
        } finally {
            lock.unlock();
        }
        actions.close();
        log.saveAll();
    }
}
