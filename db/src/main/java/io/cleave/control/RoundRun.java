package io.cleave.control;

import com.google.errorprone.annotations.concurrent.GuardedBy;

import io.cleave.balance.BalanceSettings;
import io.cleave.balance.ClusterState;
import io.cleave.balance.Decision;
import io.cleave.balance.Decision.Leave;
import io.cleave.balance.Decision.Merge;
import io.cleave.balance.Decision.Move;
import io.cleave.balance.Decision.Reshard;
import io.cleave.balance.Decision.Split;
import io.cleave.balance.Decision.Warn;
import io.cleave.balance.Figure;
import io.cleave.balance.Rule;
import io.cleave.balance.TableState;
import io.cleave.balance.yt.schedule.MinuteCheck.Missed;
import io.cleave.base.Env;
import io.cleave.cluster.Tablets;
import io.cleave.control.TabletDecision.State;
import io.cleave.control.round.RoundActions;
import io.cleave.schema.KeyRange;
import io.cleave.schema.Table;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/// Carries out the changes of rounds: those of a table one after the other, and of a few tables at
/// the same time. A change that fails is not tried again; the next round decides anew.
///
/// Threads: any. The threads that change tables end when nothing is left to do.
final class RoundRun implements RoundActions {
    /// Limit of the tables changed at the same time.
    private static final int MOST_THREADS = 4;

    private static final Duration LONGEST_WAIT = Duration.ofSeconds(1);

    private final Tablets tablets;
    private final DecisionRun run;
    private final DecisionLog log;
    private final BalanceSettings settings;
    private final Env env;

    private final ReentrantLock lock = new ReentrantLock();
    private final Condition ended = lock.newCondition();

    /// In the order in which they were decided.
    @GuardedBy("lock")
    private final Deque<Work> waiting = new ArrayDeque<>();

    /// The tables with work that waits or runs, by bundle.
    @GuardedBy("lock")
    private final Map<String, Integer> unfinished = new HashMap<>();

    /// The ids of tables that are being changed.
    @GuardedBy("lock")
    private final Set<Long> changing = new HashSet<>();

    @GuardedBy("lock")
    private int threads;

    @GuardedBy("lock")
    private boolean closed;

    private record Work(TableReview review, List<Decision> changes) {}

    RoundRun(Tablets tablets, DecisionRun run, DecisionLog log, BalanceSettings settings, Env env) {
        this.tablets = tablets;
        this.run = run;
        this.log = log;
        this.settings = settings;
        this.env = env;
    }

    @Override
    public boolean isBusy(String bundle) {
        lock.lock();
        try {
            return unfinished.containsKey(bundle);
        } finally {
            lock.unlock();
        }
    }

    @Override
    public void begin(ClusterState cluster, TableState table, List<Decision> decisions) {
        var review = new TableReview(cluster, table, decisions);
        List<Decision> changes = new ArrayList<>();
        List<Leave> left = new ArrayList<>();
        for (Decision decision : decisions) {
            switch (decision) {
                case Leave leave -> {
                    left.add(leave);
                    if (left.size() <= VerboseLog.MOST_LINES) {
                        note(review, decision, State.NOTED);
                    }
                }
                case Warn _ -> note(review, decision, State.NOTED);
                case Split _, Merge _, Move _, Reshard _ -> {
                    if (settings.enabled()) {
                        changes.add(decision);
                    } else {
                        note(review, decision, State.PLANNED);
                    }
                }
            }
        }
        VerboseLog.log(pathInTree(table), table.bundle(), left);
        if (!changes.isEmpty()) {
            add(new Work(review, changes));
        }
    }

    private String pathInTree(TableState table) {
        return "/" + table.table().path().substring(tablets.database().length());
    }

    private void note(TableReview review, Decision decision, State state) {
        note(
                TabletDecision.of(
                        review.table(), review.range(decision), decision, state, env.wallMicros()));
    }

    private void note(TabletDecision entry) {
        boolean _ = log.say(entry);
    }

    @Override
    public void missed(Table table, Missed missed) {
        var warning =
                new Warn(
                        tablets.map(table).routes().getFirst().tabletId(),
                        Rule.WARN_MISSED_ROUND,
                        List.of(Figure.count("minutes", missed.count())),
                        List.of(),
                        missed.text());
        note(TabletDecision.of(table, KeyRange.ALL, warning, State.NOTED, env.wallMicros()));
    }

    private void add(Work work) {
        lock.lock();
        try {
            if (closed) {
                return;
            }
            waiting.add(work);
            unfinished.merge(work.review().state().bundle(), 1, Integer::sum);
            if (threads < MOST_THREADS) {
                threads++;
                env.spawnBackground("rounds-" + threads, this::work);
            }
        } finally {
            lock.unlock();
        }
    }

    private void work() {
        boolean hasLeft = false;
        try {
            Optional<Work> next = next();
            while (next.isPresent()) {
                try {
                    carryOut(next.get());
                } finally {
                    end(next.get());
                }
                next = next();
            }
            hasLeft = true;
        } finally {
            if (!hasLeft) {
                leave();
            }
        }
    }

    /// If it is empty, the thread is no longer counted.
    private Optional<Work> next() {
        lock.lock();
        try {
            if (waiting.isEmpty()) {
                leave();
                return Optional.empty();
            }
            Work work = waiting.removeFirst();
            changing.add(work.review().table().id());
            return Optional.of(work);
        } finally {
            lock.unlock();
        }
    }

    private void leave() {
        lock.lock();
        try {
            threads--;
            ended.signalAll();
        } finally {
            lock.unlock();
        }
    }

    private void end(Work work) {
        lock.lock();
        try {
            changing.remove(work.review().table().id());
            unfinished.computeIfPresent(
                    work.review().state().bundle(), (_, count) -> count == 1 ? null : count - 1);
        } finally {
            lock.unlock();
        }
    }

    private void carryOut(Work work) {
        for (Decision change : work.changes()) {
            if (isClosed()) {
                return;
            }
            var _ = run.run(work.review(), change);
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

    boolean isChanging(long tableId) {
        lock.lock();
        try {
            return changing.contains(tableId);
        } finally {
            lock.unlock();
        }
    }

    boolean isAtRest() {
        lock.lock();
        try {
            return unfinished.isEmpty();
        } finally {
            lock.unlock();
        }
    }

    /// Waits for the changes that run; those that wait are left out.
    void close() throws InterruptedException {
        lock.lock();
        try {
            closed = true;
            waiting.clear();
            while (threads > 0) {
                env.await(ended, LONGEST_WAIT);
            }
        } finally {
            lock.unlock();
        }
    }
}
