package io.cleave.bookkeeper;

import com.google.errorprone.annotations.concurrent.GuardedBy;

import io.cleave.base.Env;
import io.cleave.bookkeeper.LedgerList.Span;
import io.cleave.log.LogException;

import org.apache.bookkeeper.client.api.ReadHandle;
import org.apache.bookkeeper.proto.BookieClient;
import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;

/// Follows the end of a log that another process writes.
///
/// It asks bookies for the entry after the last known one. They answer when that entry is
/// confirmed, which happens with the writer's next entry; an idle writer soon sends an empty one.
/// When the list of ledgers changes, it continues in the next ledger.
///
/// Threads: any may look; one thread follows, once it is asked to.
final class LedgerTail implements AutoCloseable {
    /// How often it checks whether a ledger was sealed.
    private static final Duration LONG = Duration.ofSeconds(4);

    private static final Duration AFTER_FAILURE = Duration.ofMillis(100);

    private final Env env;
    private final LedgerChain chain;
    private final Consumer<LedgerFrontier> durable;

    /// Whether another process may be writing. If this process writes, there is nothing to follow.
    private final BooleanSupplier isForeign;

    private final RecentEntries recent = new RecentEntries();
    private final ReentrantLock lock = new ReentrantLock();

    @GuardedBy("lock")
    private @Nullable ReadHandle ledger;

    @GuardedBy("lock")
    private LedgerFrontier frontier = LedgerFrontier.EMPTY;

    @GuardedBy("lock")
    private boolean started;

    private volatile boolean following;
    private volatile boolean closed;

    /// Completed when the list of ledgers has changed.
    private volatile CompletableFuture<Boolean> changed = CompletableFuture.completedFuture(true);

    /// Used only by the following thread: whether it has looked since it registered for the next
    /// change.
    private boolean hasLooked;

    /// Used only by the following thread: the requests to the bookies of a ledger.
    private @Nullable Asked asked;

    private record Asked(ReadHandle ledger, LedgerPolls polls, EntryReads reads) {}

    LedgerTail(
            Env env,
            LedgerChain chain,
            Consumer<LedgerFrontier> durable,
            BooleanSupplier isForeign) {
        this.env = env;
        this.chain = chain;
        this.durable = durable;
        this.isForeign = isForeign;
    }

    /// Whether the reported end is up to date without looking.
    boolean isFollowing() {
        return following;
    }

    /// The entries that were read recently.
    RecentEntries recent() {
        return recent;
    }

    /// Asks ZooKeeper and the bookies for the end of the log.
    LedgerFrontier look() {
        lock.lock();
        try {
            LedgerList list = chain.refresh();
            if (!list.isEmpty()) {
                ReadHandle opened = open(list.last());
                String what = "reading the end of ledger " + opened.getId();
                long last = chain.ledgers().await(opened.readLastAddConfirmedAsync(), what);
                advance(opened, last, null);
            }
            return frontier;
        } finally {
            lock.unlock();
        }
    }

    @GuardedBy("lock")
    private ReadHandle open(Span last) {
        ReadHandle had = ledger;
        if (had != null && had.getId() == last.ledgerId()) {
            return had;
        }
        if (had != null) {
            var _ = had.closeAsync();
        }
        ReadHandle opened = chain.ledgers().open(last.ledgerId());
        ledger = opened;
        frontier =
                new LedgerFrontier(last.ledgerId(), LedgerFrontier.NO_ENTRY, last.firstPosition());
        durable.accept(frontier);
        return opened;
    }

    @GuardedBy("lock")
    private void advance(ReadHandle from, long lastEntry, @Nullable LedgerRecords known) {
        if (lastEntry > frontier.lastEntry()) {
            LedgerRecords records = known == null ? chain.records(from, lastEntry) : known;
            frontier = new LedgerFrontier(from.getId(), lastEntry, records.end());
            durable.accept(frontier);
        }
    }

    /// Starts a thread that reports new ends of the log.
    void follow() {
        lock.lock();
        try {
            if (!started) {
                started = true;
                env.spawn("log-tail", this::run);
            }
        } finally {
            lock.unlock();
        }
    }

    private void run() {
        boolean isOver = false;
        try {
            while (goesOn()) {
                try {
                    step();
                    following = true;
                } catch (LogException e) {
                    following = false;
                    asked = null;
                    hasLooked = false;
                    env.sleep(AFTER_FAILURE);
                }
            }
            isOver = true;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            if (!isOver) {
                ended();
            }
        }
    }

    /// Decided under the lock: if it returns false, a later call of `follow` starts another thread.
    private boolean goesOn() {
        lock.lock();
        try {
            boolean goesOn = !closed && isForeign.getAsBoolean();
            if (!goesOn) {
                ended();
            }
            return goesOn;
        } finally {
            lock.unlock();
        }
    }

    private void ended() {
        lock.lock();
        try {
            following = false;
            started = false;
        } finally {
            lock.unlock();
        }
    }

    private void step() throws InterruptedException {
        if (changed.isDone()) {
            var signal = new CompletableFuture<Boolean>();
            changed = signal;
            hasLooked = false;
            try {
                chain.whenChanged(() -> signal.complete(true));
            } catch (LogException e) {
                // The next step registers again.
                signal.complete(true);
                throw e;
            }
        }
        if (!hasLooked) {
            look();
            hasLooked = true;
        }
        poll();
    }

    private void poll() throws InterruptedException {
        ReadHandle from;
        long wanted;
        lock.lock();
        try {
            from = ledger;
            wanted = frontier.lastEntry() + 1;
        } finally {
            lock.unlock();
        }
        CompletableFuture<Boolean> signal = changed;
        if (from == null) {
            await(signal, LONG);
            return;
        }
        if (from.isClosed()) {
            // A sealed ledger gets no more entries, and a bookie would answer at once.
            reached(from, Ledgers.lastEntry(from), null);
            await(signal, LONG);
            return;
        }
        Asked at = asked(from);
        LedgerPolls polls = at.polls;
        await(CompletableFuture.anyOf(polls.ask(wanted - 1), signal), polls.patience());
        if (polls.lastConfirmed() >= wanted) {
            catchUp(at, wanted, polls.lastConfirmed());
        }
    }

    @SuppressWarnings("ReferenceEquality") // the same handle, not one like it
    private Asked asked(ReadHandle from) {
        Asked before = asked;
        if (before != null && before.ledger == from) {
            return before;
        }
        Ledgers ledgers = chain.ledgers();
        BookieClient bookies = ledgers.bookieClient();
        String name = chain.nameOf(from);
        var next =
                new Asked(
                        from,
                        new LedgerPolls(env, ledgers, bookies, from, name),
                        new EntryReads(ledgers, bookies, from, name));
        asked = next;
        return next;
    }

    /// The entries from `wanted` to `last` are confirmed; takes them.
    private void catchUp(Asked at, long wanted, long last) throws InterruptedException {
        long next = wanted;
        LedgerRecords newest = at.polls.entry(wanted);
        if (newest != null) {
            recent.add(at.ledger.getId(), wanted, newest);
            reached(at.ledger, wanted, newest);
            next++;
        }
        if (last - next >= RecentEntries.MOST_ENTRIES) {
            // Readers are far behind, and read many entries at a time themselves.
            reached(at.ledger, last, null);
        } else if (next <= last) {
            for (LedgerRecords records : at.reads.read(next, last, at.polls.quick())) {
                recent.add(at.ledger.getId(), next, records);
                newest = records;
                next++;
            }
            reached(at.ledger, last, newest);
        }
    }

    private void reached(ReadHandle from, long lastEntry, @Nullable LedgerRecords known) {
        lock.lock();
        try {
            if (isPresent(from)) {
                advance(from, lastEntry, known);
            }
        } finally {
            lock.unlock();
        }
    }

    /// Whether the tail is still in this ledger, with this handle.
    @GuardedBy("lock")
    @SuppressWarnings("ReferenceEquality") // the same handle, not one like it
    private boolean isPresent(ReadHandle opened) {
        return opened == ledger;
    }

    /// Returns when the future is completed in any way, or after a while.
    private static void await(CompletableFuture<?> future, Duration most)
            throws InterruptedException {
        try {
            future.get(most.toNanos(), TimeUnit.NANOSECONDS);
        } catch (ExecutionException | TimeoutException e) {
            // The caller checks for the answer itself.
        }
    }

    @Override
    public void close() {
        closed = true;
        changed.complete(true);
        lock.lock();
        try {
            if (ledger != null) {
                var _ = ledger.closeAsync();
                ledger = null;
            }
        } finally {
            lock.unlock();
        }
    }
}
