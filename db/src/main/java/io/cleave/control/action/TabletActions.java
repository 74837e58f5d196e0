package io.cleave.control.action;

import com.google.errorprone.annotations.concurrent.GuardedBy;

import io.cleave.base.Bytes;
import io.cleave.base.Env;
import io.cleave.base.Status;
import io.cleave.base.StatusException;
import io.cleave.catalog.ActionRows;
import io.cleave.cluster.Resharding;
import io.cleave.cluster.TabletInfo;
import io.cleave.cluster.Tablets;
import io.cleave.control.action.ActionRun.Outcome;
import io.cleave.control.action.TabletAction.Content;
import io.cleave.control.action.TabletAction.State;
import io.cleave.schema.KeyRange;
import io.cleave.schema.ObjectId;
import io.cleave.schema.ObjectType;

import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.ToLongFunction;

/// The actions: begins them, carries them out in the background, and keeps them for as long as
/// whoever began them has said.
///
/// A tablet is in at most one unfinished action. The row of an action is durable, with the decision
/// that it follows from, before anything changes; it is written again when the action has ended. An
/// action whose end could not be written is carried out again by the next start, which changes
/// nothing then.
///
/// Threads: any. One thread chooses what to do next; each action that is carried out has a thread.
public final class TabletActions implements AutoCloseable {
    private static final System.Logger LOGGER = System.getLogger(TabletActions.class.getName());

    /// Limit of the actions that are carried out at the same time. They are of different tables.
    static final int MOST_RUNNING = 4;

    private static final Duration PAUSE = Duration.ofSeconds(1);

    private final Tablets tablets;
    private final Resharding resharding;
    private final Env env;
    private final ActionRun run;

    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();

    @GuardedBy("lock")
    private final ActionRegister register = new ActionRegister();

    /// Unfinished actions that may be carried out: those whose row is durable.
    @GuardedBy("lock")
    private final TreeSet<Long> ready = new TreeSet<>();

    /// Actions that an earlier process has begun.
    @GuardedBy("lock")
    private final Set<Long> resumed = new HashSet<>();

    /// The tables of the actions that are being carried out, by the actions' numbers.
    @GuardedBy("lock")
    private final Map<Long, Long> running = new HashMap<>();

    @GuardedBy("lock")
    private Optional<ActionDecisions> decisions = Optional.empty();

    @GuardedBy("lock")
    private boolean choosing;

    @GuardedBy("lock")
    private boolean closed;

    /// Reads the stored actions. Throws [io.cleave.base.CorruptionException] if one cannot be read.
    ///
    /// @param stored the rows of the actions
    public TabletActions(
            Tablets tablets, Resharding resharding, SortedMap<Long, Bytes> stored, Env env) {
        this.tablets = tablets;
        this.resharding = resharding;
        this.env = env;
        run = new ActionRun(tablets, resharding, this::isClosed);
        stored.forEach(
                (number, row) -> {
                    TabletAction action = ActionCodec.decode(number, row);
                    register.put(action, row.length());
                    if (!action.isFinished()) {
                        ready.add(number);
                        resumed.add(number);
                    }
                });
    }

    /// Begins to carry out actions, first those that an earlier process has begun.
    public void start(ActionDecisions log) {
        lock.lock();
        try {
            decisions = Optional.of(log);
            choosing = true;
        } finally {
            lock.unlock();
        }
        env.spawnBackground("tablet-actions", () -> choose(log));
    }

    /// Begins an action that follows from no decision. Returns when it is stored.
    public TabletAction begin(ActionRequest request) {
        return begin(request, _ -> 0);
    }

    /// Begins an action. Returns when it is stored; it is carried out later. Throws BAD_REQUEST if
    /// it is not allowed, and OVERLOADED if there are too many actions.
    ///
    /// @param decided called if the action is allowed, with its id; adds the decision that the
    ///   action follows from, and returns its number. If the action cannot be stored, the decision
    ///   ends as failed
    public TabletAction begin(ActionRequest request, ToLongFunction<ObjectId> decided) {
        ActionDecisions log = log();
        List<TabletInfo> infos = tablets.infos(request.table());
        List<TabletInfo> named = ActionRules.tablets(request, infos);
        Content content =
                ActionRules.content(request, named, infos, resharding.bundles(), env.wallMicros());
        ObjectId id = ObjectId.of(ObjectType.TABLET_ACTION, tablets.held().catalog().newId());
        TabletAction action;
        Bytes row;
        List<Long> removed;
        lock.lock();
        try {
            register.checkFree(content.tableId(), named);
            row = ActionCodec.encode(begun(id, content, request));
            removed = register.makeRoom(row.length());
            removed.forEach(register::remove);
            long number = decided.applyAsLong(id);
            action = begun(id, content.of(number), request);
            row = ActionCodec.encode(action);
            register.put(action, row.length());
        } finally {
            lock.unlock();
        }
        store(log, action, row, removed);
        return action;
    }

    private static TabletAction begun(ObjectId id, Content content, ActionRequest request) {
        return new TabletAction(id, content, State.PREPARING, request.tabletIds(), "", 0);
    }

    private void store(
            ActionDecisions log, TabletAction action, Bytes row, Collection<Long> removed) {
        long number = action.id().number();
        var puts = new TreeMap<Long, Bytes>();
        puts.put(number, row);
        boolean isStored = false;
        try {
            log.save(new ActionRows.Change(puts, new TreeSet<>(removed)));
            isStored = true;
        } finally {
            lock.lock();
            try {
                if (isStored) {
                    ready.add(number);
                    changed.signalAll();
                } else {
                    register.remove(number);
                }
            } finally {
                lock.unlock();
            }
            if (!isStored) {
                TabletAction failed =
                        action.ended(
                                State.FAILED,
                                action.tabletIds(),
                                "the action could not be stored",
                                env.wallMicros());
                log.ended(failed, 0, List.of());
            }
        }
    }

    private ActionDecisions log() {
        lock.lock();
        try {
            if (closed || decisions.isEmpty()) {
                throw new StatusException(
                        Status.UNAVAILABLE,
                        "The server is " + (closed ? "stopping" : "starting") + "; retry later");
            }
            return decisions.get();
        } finally {
            lock.unlock();
        }
    }

    /// All actions, oldest first.
    public List<TabletAction> list() {
        lock.lock();
        try {
            return register.all();
        } finally {
            lock.unlock();
        }
    }

    public Optional<TabletAction> find(ObjectId id) {
        lock.lock();
        try {
            return register.find(id);
        } finally {
            lock.unlock();
        }
    }

    /// The actions of a bundle, oldest first.
    public List<TabletAction> of(String bundle) {
        return list().stream().filter(action -> action.content().bundle().equals(bundle)).toList();
    }

    /// The actions of a bundle that are not finished, oldest first.
    public List<TabletAction> unfinished(String bundle) {
        return unfinished().stream()
                .filter(action -> action.content().bundle().equals(bundle))
                .toList();
    }

    /// The actions that are not finished, oldest first.
    public List<TabletAction> unfinished() {
        lock.lock();
        try {
            return register.unfinished();
        } finally {
            lock.unlock();
        }
    }

    /// The unfinished action that has this tablet of a table.
    public Optional<TabletAction> holder(long tableId, long tabletId, KeyRange range) {
        lock.lock();
        try {
            return register.holder(tableId, tabletId, range);
        } finally {
            lock.unlock();
        }
    }

    /// Whether tablets of the table are in an unfinished action.
    public boolean isChanging(long tableId) {
        return unfinished().stream().anyMatch(action -> action.content().tableId() == tableId);
    }

    /// Forgets a finished action; does nothing if there is no such action. Throws
    /// PRECONDITION_FAILED if it is not finished.
    public void remove(ObjectId id) {
        Optional<TabletAction> action = find(id);
        if (action.isEmpty()) {
            return;
        }
        if (!action.get().isFinished()) {
            throw new StatusException(
                    Status.PRECONDITION_FAILED,
                    "Tablet action %s is in state \"%s\"; it can be removed when it is finished"
                            .formatted(id.text(), action.get().state().text()));
        }
        forget(log(), List.of(id.number()));
    }

    private void forget(ActionDecisions log, List<Long> numbers) {
        log.save(new ActionRows.Change(new TreeMap<>(), new TreeSet<>(numbers)));
        lock.lock();
        try {
            numbers.forEach(register::remove);
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

    /// Whether no action can be carried out at present.
    public boolean isAtRest() {
        lock.lock();
        try {
            return running.isEmpty() && ready.isEmpty();
        } finally {
            lock.unlock();
        }
    }

    private void choose(ActionDecisions log) {
        try {
            while (!isClosed()) {
                try {
                    expire(log);
                    wakeOrphans();
                    startReady(log);
                } catch (RuntimeException e) {
                    // This is tried again after a pause; other actions go on.
                    LOGGER.log(System.Logger.Level.WARNING, "no action could be begun", e);
                    boolean _ = pause();
                }
                awaitChange();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            lock.lock();
            try {
                choosing = false;
                changed.signalAll();
            } finally {
                lock.unlock();
            }
        }
    }

    private void awaitChange() throws InterruptedException {
        lock.lock();
        try {
            if (!closed && next().isEmpty()) {
                env.await(changed, PAUSE);
            }
        } finally {
            lock.unlock();
        }
    }

    private void expire(ActionDecisions log) {
        List<Long> expired;
        lock.lock();
        try {
            expired = register.expired(env.wallMicros());
        } finally {
            lock.unlock();
        }
        if (!expired.isEmpty()) {
            try {
                forget(log, expired);
            } catch (RuntimeException e) {
                report("actions were not removed", e);
            }
        }
    }

    /// Actions that wait for a cell are tried again when their bundle has one that runs.
    private void wakeOrphans() {
        lock.lock();
        try {
            for (TabletAction action : register.unfinished()) {
                boolean hasCells = !resharding.runningCells(action.content().bundle()).isEmpty();
                long number = action.id().number();
                boolean waits = action.state() == State.ORPHANED && !running.containsKey(number);
                if (waits && hasCells) {
                    ready.add(number);
                }
            }
        } finally {
            lock.unlock();
        }
    }

    private void startReady(ActionDecisions log) {
        lock.lock();
        try {
            for (Optional<TabletAction> next = next(); next.isPresent(); next = next()) {
                TabletAction action = next.get();
                long number = action.id().number();
                ready.remove(number);
                running.put(number, action.content().tableId());
                boolean isNew = !resumed.contains(number);
                env.spawnBackground("action-" + number, () -> carryOut(log, action, isNew));
            }
        } finally {
            lock.unlock();
        }
    }

    /// The oldest action that can be carried out now.
    @GuardedBy("lock")
    private Optional<TabletAction> next() {
        if (closed || running.size() >= MOST_RUNNING) {
            return Optional.empty();
        }
        for (long number : ready) {
            Optional<TabletAction> action =
                    register.find(ObjectId.of(ObjectType.TABLET_ACTION, number));
            if (action.isPresent() && !running.containsValue(action.get().content().tableId())) {
                return action;
            }
        }
        return Optional.empty();
    }

    private void carryOut(ActionDecisions log, TabletAction action, boolean isNew) {
        try {
            long began = env.nanoTime();
            Outcome outcome = outcome(action, isNew);
            long micros = (env.nanoTime() - began) / 1000;
            switch (outcome) {
                case Outcome.Completed(List<TabletInfo> made) -> {
                    List<Long> ids = made.stream().map(TabletInfo::tabletId).toList();
                    end(
                            log,
                            action.ended(State.COMPLETED, ids, "", env.wallMicros()),
                            micros,
                            made);
                }
                case Outcome.Failed(String why) ->
                        end(
                                log,
                                action.ended(
                                        State.FAILED, action.tabletIds(), why, env.wallMicros()),
                                micros,
                                List.of());
                case Outcome.Orphaned(String why) -> put(log, action.waiting(State.ORPHANED, why));
                case Outcome.Interrupted _ -> {}
            }
        } finally {
            lock.lock();
            try {
                running.remove(action.id().number());
                changed.signalAll();
            } finally {
                lock.unlock();
            }
        }
    }

    private Outcome outcome(TabletAction action, boolean isNew) {
        try {
            return run.run(action, isNew);
        } catch (RuntimeException e) {
            // No caller waits for this; without an end the tablets would be held for ever.
            LOGGER.log(
                    System.Logger.Level.WARNING,
                    "the tablets of " + action.content().path() + " could not be changed",
                    e);
            return new Outcome.Failed(String.valueOf(e));
        }
    }

    private void end(ActionDecisions log, TabletAction action, long micros, List<TabletInfo> made) {
        LOGGER.log(
                System.Logger.Level.INFO,
                () ->
                        "%s: %s of tablets %s: %s %s"
                                .formatted(
                                        action.content().path(),
                                        action.kind().text(),
                                        action.tabletIds(),
                                        action.state().text(),
                                        action.error()));
        try {
            log.ended(action, micros, made);
        } catch (RuntimeException e) {
            report("the decision of an action was not ended", e);
        }
        put(log, action);
    }

    /// Makes the action durable and then visible. As long as the catalog takes no writes, the
    /// action stays as it was.
    private void put(ActionDecisions log, TabletAction action) {
        long number = action.id().number();
        Bytes row = ActionCodec.encode(action);
        var puts = new TreeMap<Long, Bytes>();
        puts.put(number, row);
        var change = new ActionRows.Change(puts, new TreeSet<>());
        while (!isSaved(log, change)) {
            if (!pause()) {
                return;
            }
        }
        lock.lock();
        try {
            register.put(action, row.length());
            resumed.remove(number);
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    private static boolean isSaved(ActionDecisions log, ActionRows.Change change) {
        try {
            log.save(change);
            return true;
        } catch (RuntimeException e) {
            report("an action was not saved", e);
            return false;
        }
    }

    /// Whatever fails is tried again: an action without an end would hold its bundle for ever.
    private static void report(String what, RuntimeException e) {
        // A catalog that takes no writes is reported elsewhere.
        LOGGER.log(
                e instanceof StatusException
                        ? System.Logger.Level.DEBUG
                        : System.Logger.Level.WARNING,
                what,
                e);
    }

    /// Returns false if this is being closed.
    private boolean pause() {
        lock.lock();
        try {
            long until = env.nanoTime() + PAUSE.toNanos();
            boolean interrupted = false;
            while (!closed && until - env.nanoTime() > 0) {
                interrupted |=
                        env.awaitUninterrupted(changed, Duration.ofNanos(until - env.nanoTime()));
            }
            Env.restoreInterrupt(interrupted);
            return !closed;
        } finally {
            lock.unlock();
        }
    }

    /// Waits for the steps that are under way. The next start goes on with the actions.
    @Override
    public void close() {
        lock.lock();
        try {
            closed = true;
            changed.signalAll();
            boolean interrupted = false;
            while (choosing || !running.isEmpty()) {
                interrupted |= env.awaitUninterrupted(changed, PAUSE);
            }
            Env.restoreInterrupt(interrupted);
        } finally {
            lock.unlock();
        }
    }
}
