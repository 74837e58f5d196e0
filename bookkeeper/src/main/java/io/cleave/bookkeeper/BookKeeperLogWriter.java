package io.cleave.bookkeeper;

import com.google.errorprone.annotations.concurrent.GuardedBy;

import io.cleave.base.Bytes;
import io.cleave.base.Check;
import io.cleave.base.Env;
import io.cleave.log.Completion;
import io.cleave.log.FencedException;
import io.cleave.log.LogException;
import io.cleave.log.LogOptions;
import io.cleave.log.LogWriter;

import org.apache.bookkeeper.client.api.WriteHandle;
import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;

/// Appends records to the ledgers of a log.
///
/// One thread sends: it takes what has gathered as one entry and goes on to the next while up to
/// [#MAX_ENTRIES_IN_FLIGHT] are under way; so a lone record goes at once, and many share entries.
/// The bookies' answers come in the order of the entries, on a thread of BookKeeper, which calls
/// the completions.
///
/// A ledger that takes no more (bookies are gone, or someone fenced it who was no writer) is no
/// failure of the log. The sender seals it, sees which of the entries under way have made it, and
/// sends the others again to another ledger, with the same positions; for as long as it takes. Only
/// a newer epoch in the list of ledgers ends the writer: it is fenced then.
///
/// Bookies learn with each entry which ones before it are confirmed, and those who follow the log
/// learn it from them. So when no more comes for [#QUIET], an entry without records says it of the
/// last one. BookKeeper's own way to do that (explicit last-add-confirmed) leaves it out once in a
/// thousand times on a busy machine.
final class BookKeeperLogWriter implements LogWriter {
    /// More gain nothing in throughput: what waits shares entries instead.
    static final int MAX_ENTRIES_IN_FLIGHT = 8;

    /// A ledger with less than this does not end for its age: the list of ledgers would grow for
    /// ever, as a log that gets little is trimmed seldom.
    static final long MIN_AGED_BYTES = 1 << 20;

    /// Longer than most wait between two commits, and short for those who follow.
    private static final Duration QUIET = Duration.ofMillis(5);

    private static final Duration LONG = Duration.ofMinutes(1);

    private final Env env;
    private final LedgerChain chain;
    private final LedgerSuccession succession;
    private final LogOptions options;
    private final Duration rollAge;
    private final Consumer<LedgerFrontier> durable;
    private final Consumer<Throwable> fatal;
    private final long epoch;

    private final ReentrantLock lock = new ReentrantLock();
    private final Condition work = lock.newCondition();
    private final Condition room = lock.newCondition();
    private final Condition gone = lock.newCondition();

    /// Not sent yet, in the order of positions; the last one may still grow.
    @GuardedBy("lock")
    private final Deque<LedgerBatch> waiting = new ArrayDeque<>();

    /// Sent, and not all of its completions are told.
    @GuardedBy("lock")
    private final Deque<LedgerBatch> inFlight = new ArrayDeque<>();

    /// Entries that BookKeeper has not answered for.
    @GuardedBy("lock")
    private int unanswered;

    /// Since when all entries are answered for, as [Env#nanoTime].
    @GuardedBy("lock")
    private long quietNanos;

    /// No entry after the last one that has records says that it is confirmed. So is a new ledger:
    /// bookies know it only when they have an entry.
    @GuardedBy("lock")
    private boolean isUntold = true;

    /// Of all records not completed yet.
    @GuardedBy("lock")
    private long queuedBytes;

    @GuardedBy("lock")
    private long nextPosition;

    /// Why the present ledger takes no more; null while it does.
    @GuardedBy("lock")
    private @Nullable Throwable broken;

    /// By a completion, or by what makes entries: the log is well, but its owner is not.
    @GuardedBy("lock")
    private @Nullable Throwable thrown;

    /// Why nothing is appended any more; null while the writer lives.
    @GuardedBy("lock")
    private @Nullable LogException ended;

    /// The sender looks for work only when it is told.
    @GuardedBy("lock")
    private boolean idle;

    /// The sender is over.
    @GuardedBy("lock")
    private boolean finished;

    private final StallWatch watch;
    private final CopiesWatch copies;

    /// Changed by the sender.
    private volatile WriteHandle ledger;

    /// The sender's own.
    private long ledgerBytes;

    private long ledgerSince;

    BookKeeperLogWriter(
            Env env,
            LedgerChain chain,
            LedgerChain.Head head,
            LogOptions options,
            Consumer<LedgerFrontier> durable,
            Consumer<Throwable> fatal) {
        this.env = env;
        this.chain = chain;
        this.options = options;
        this.durable = durable;
        this.fatal = fatal;
        rollAge = chain.ledgers().settings().rollAge();
        epoch = head.epoch();
        succession = new LedgerSuccession(env, chain, epoch, this::isAlive);
        nextPosition = head.from();
        ledger = head.ledger();
        ledgerSince = env.nanoTime();
        quietNanos = ledgerSince;
        watch =
                new StallWatch(
                        env,
                        chain.ledgers().settings().stallTimeout(),
                        this::oldestNanos,
                        () -> !isAlive());
        copies = new CopiesWatch(env, chain.bookies(), () -> ledger, () -> !isAlive());
    }

    BookKeeperLogWriter start() {
        watch.start("log-watch-" + epoch);
        copies.start("log-copies-" + epoch);
        env.spawnWorker("log-writer-" + epoch, this::run);
        return this;
    }

    @Override
    public long epoch() {
        return epoch;
    }

    @Override
    public long append(Bytes record, Completion completion) {
        long position;
        LogException refused;
        lock.lock();
        try {
            awaitRoom(record.length());
            position = nextPosition;
            refused = ended;
            if (refused == null) {
                enqueue(record, completion);
                return position;
            }
        } finally {
            lock.unlock();
        }
        completion.completed(position, refused);
        return position;
    }

    /// The sender needs no help: its thread waits for no disk.
    @Override
    public long appendAwaited(Bytes record, Completion completion) {
        return append(record, completion);
    }

    @Override
    public void help() {}

    @Override
    public boolean hasRoom(int recordBytes) {
        lock.lock();
        try {
            return !isFullFor(recordBytes);
        } finally {
            lock.unlock();
        }
    }

    /// A record larger than the bound goes alone.
    @GuardedBy("lock")
    private boolean isFullFor(int recordBytes) {
        return ended == null && queuedBytes > 0 && queuedBytes + recordBytes > options.queueBytes();
    }

    @GuardedBy("lock")
    private void awaitRoom(int recordBytes) {
        boolean interrupted = false;
        while (isFullFor(recordBytes)) {
            interrupted |= await(room, LONG);
        }
        restoreInterrupt(interrupted);
    }

    @GuardedBy("lock")
    private void enqueue(Bytes record, Completion completion) {
        if (waiting.isEmpty() || !waiting.getLast().hasRoomFor(record)) {
            waiting.add(new LedgerBatch(nextPosition, env.nanoTime()));
        }
        waiting.getLast().add(record, completion);
        queuedBytes += record.length();
        nextPosition++;
        if (idle && inFlight.size() < MAX_ENTRIES_IN_FLIGHT) {
            work.signal();
        }
    }

    @Override
    public void checkNotFenced() {
        lock.lock();
        try {
            if (ended != null) {
                throw ended;
            }
        } finally {
            lock.unlock();
        }
        chain.verify(epoch);
    }

    @Override
    public long nextPosition() {
        lock.lock();
        try {
            return nextPosition;
        } finally {
            lock.unlock();
        }
    }

    @Override
    public Optional<String> stall() {
        return watch.stall();
    }

    @Override
    public void whileStalled(Consumer<String> listener) {
        watch.listen(listener);
    }

    private OptionalLong oldestNanos() {
        lock.lock();
        try {
            LedgerBatch oldest = inFlight.isEmpty() ? waiting.peekFirst() : inFlight.peekFirst();
            return oldest == null ? OptionalLong.empty() : OptionalLong.of(oldest.sinceNanos());
        } finally {
            lock.unlock();
        }
    }

    /// Whether it may still append.
    boolean isAlive() {
        lock.lock();
        try {
            return ended == null;
        } finally {
            lock.unlock();
        }
    }

    /// Refuses what is not sent, and returns when nothing more will be.
    void fence() {
        Deque<LedgerBatch> dropped = new ArrayDeque<>();
        var reason = new FencedException(epoch);
        lock.lock();
        try {
            if (ended == null) {
                ended = reason;
                dropped.addAll(waiting);
                waiting.clear();
            }
        } finally {
            lock.unlock();
        }
        awaitEnd();
        dropped.forEach(batch -> batch.refuse(reason));
    }

    @Override
    public void close() {
        lock.lock();
        try {
            if (ended == null) {
                ended = new LogException("the log's writer " + epoch + " was closed", null);
            }
        } finally {
            lock.unlock();
        }
        awaitEnd();
    }

    private void awaitEnd() {
        boolean interrupted = false;
        lock.lock();
        try {
            work.signal();
            room.signalAll();
            while (!finished) {
                interrupted |= await(gone, LONG);
            }
        } finally {
            lock.unlock();
        }
        restoreInterrupt(interrupted);
    }

    private void run() {
        try {
            Step step = next();
            while (step != Step.END) {
                switch (step) {
                    case SEND -> send(takeWaiting());
                    case TELL -> tell();
                    case ROLL -> roll();
                    case REPAIR -> repair();
                    case END -> throw new IllegalStateException();
                }
                step = next();
            }
            closeLedger();
        } catch (RuntimeException | Error e) {
            fail(e instanceof LogException log ? log : failed(e));
        } finally {
            finish();
        }
    }

    private static LogException failed(Throwable e) {
        return new LogException("writing the log failed: " + e, e);
    }

    private enum Step {
        SEND,
        TELL,
        ROLL,
        REPAIR,
        END
    }

    /// Waits until there is something to do.
    private Step next() {
        lock.lock();
        try {
            while (true) {
                if (thrown != null && unanswered == 0) {
                    throw failed(thrown);
                }
                if (broken != null || thrown != null) {
                    if (unanswered == 0) {
                        return inFlight.isEmpty() && waiting.isEmpty() && ended != null
                                ? Step.END
                                : Step.REPAIR;
                    }
                } else if (!waiting.isEmpty() && isLedgerFull()) {
                    if (unanswered == 0) {
                        return Step.ROLL;
                    }
                } else if (!waiting.isEmpty() && inFlight.size() < MAX_ENTRIES_IN_FLIGHT) {
                    return Step.SEND;
                } else if (waiting.isEmpty() && unanswered == 0) {
                    if (ended != null) {
                        return Step.END;
                    }
                    if (isUntold && untilTold() <= 0) {
                        return Step.TELL;
                    }
                }
                idle = true;
                // Nobody interrupts this thread; if someone does, it goes on waiting.
                var _ = await(work, patience());
                idle = false;
            }
        } finally {
            lock.unlock();
        }
    }

    @GuardedBy("lock")
    private Duration patience() {
        boolean isQuiet = isUntold && broken == null && waiting.isEmpty() && unanswered == 0;
        return isQuiet ? Duration.ofNanos(untilTold()) : LONG;
    }

    @GuardedBy("lock")
    private long untilTold() {
        return QUIET.toNanos() - (env.nanoTime() - quietNanos);
    }

    private boolean isLedgerFull() {
        return ledgerBytes >= options.segmentBytes()
                || (ledgerBytes >= MIN_AGED_BYTES
                        && env.nanoTime() - ledgerSince >= rollAge.toNanos())
                || copies.isShort(ledger.getId());
    }

    private LedgerBatch takeWaiting() {
        lock.lock();
        try {
            LedgerBatch batch = waiting.removeFirst();
            inFlight.add(batch);
            unanswered += batch.entryCount();
            isUntold = true;
            return batch;
        } finally {
            lock.unlock();
        }
    }

    private void send(LedgerBatch batch) {
        WriteHandle to = ledger;
        ledgerBytes += batch.ledgerBytes();
        for (int entry = 0; entry < batch.entryCount(); entry++) {
            boolean isLast = entry == batch.entryCount() - 1;
            CompletableFuture<Long> sent;
            try {
                sent = to.appendAsync(batch.encode(epoch, entry));
            } catch (RuntimeException | Error e) {
                unsent(batch.entryCount() - entry, e);
                return;
            }
            var _ =
                    sent.whenComplete(
                            (entryId, failure) -> {
                                if (failure == null && isLast) {
                                    added(batch, to.getId(), entryId);
                                } else {
                                    answered(failure);
                                }
                            });
        }
    }

    /// An entry without records.
    private void tell() {
        long position;
        lock.lock();
        try {
            isUntold = false;
            unanswered++;
            position = waiting.isEmpty() ? nextPosition : waiting.getFirst().first();
        } finally {
            lock.unlock();
        }
        ledgerBytes += LedgerRecords.HEADER_BYTES;
        CompletableFuture<Long> sent;
        try {
            sent = ledger.appendAsync(LedgerRecords.encode(epoch, position, List.of()));
        } catch (RuntimeException | Error e) {
            unsent(1, e);
            return;
        }
        var _ = sent.whenComplete((_, failure) -> answered(failure));
    }

    /// The writer is over, but not before all that was sent is answered for.
    private void unsent(int entryCount, Throwable failure) {
        lock.lock();
        try {
            unanswered -= entryCount;
            thrown = thrown == null ? failure : thrown;
        } finally {
            lock.unlock();
        }
    }

    /// BookKeeper has answered for an entry. One that did not get into the ledger breaks it: none
    /// after it does.
    private void answered(@Nullable Throwable failure) {
        lock.lock();
        try {
            unanswered--;
            broken = broken == null ? failure : broken;
            if (broken != null || thrown != null || unanswered == 0) {
                work.signal();
            }
        } finally {
            lock.unlock();
        }
    }

    /// On BookKeeper's thread, in the order of entries.
    private void added(LedgerBatch batch, long ledgerId, long entryId) {
        durable.accept(new LedgerFrontier(ledgerId, entryId, batch.end()));
        Throwable failure = batch.acknowledge();
        lock.lock();
        try {
            unanswered--;
            if (unanswered == 0) {
                quietNanos = env.nanoTime();
            }
            thrown = thrown == null ? failure : thrown;
            Check.that(inFlight.removeFirst() == batch, "entry %d out of order", entryId);
            queuedBytes -= batch.bytes();
            room.signalAll();
            if (idle && (inFlight.isEmpty() || !waiting.isEmpty() || thrown != null)) {
                work.signal();
            }
        } finally {
            lock.unlock();
        }
    }

    /// Everything sent is acknowledged: the ledger is sealed, and the next one begins.
    private void roll() {
        try {
            chain.ledgers().await(ledger.closeAsync(), "sealing ledger " + ledger.getId());
            continueIn(chain.extend(epoch, firstWaiting()));
        } catch (FencedException e) {
            throw e;
        } catch (LogException e) {
            lock.lock();
            try {
                broken = e;
            } finally {
                lock.unlock();
            }
        }
    }

    private long firstWaiting() {
        lock.lock();
        try {
            return waiting.getFirst().first();
        } finally {
            lock.unlock();
        }
    }

    private void continueIn(LedgerChain.Head head) {
        ledger = head.ledger();
        ledgerBytes = 0;
        ledgerSince = env.nanoTime();
        durable.accept(new LedgerFrontier(ledger.getId(), LedgerFrontier.NO_ENTRY, head.from()));
    }

    /// Goes on in another ledger, with what the old one has not taken.
    private void repair() {
        Throwable cause = cause();
        succession.awaitRival(cause);
        // Only so that BookKeeper forgets it; the ledger is sealed by whoever goes on.
        var _ = ledger.closeAsync();
        LedgerChain.Head head = succession.next(cause);
        List<LedgerBatch> made;
        lock.lock();
        try {
            made = inFlight.stream().filter(batch -> batch.end() <= head.from()).toList();
        } finally {
            lock.unlock();
        }
        continueIn(head);
        Throwable failure = null;
        for (LedgerBatch batch : made) {
            Throwable next = batch.acknowledge();
            failure = failure == null ? next : failure;
        }
        lock.lock();
        try {
            for (LedgerBatch batch : made) {
                inFlight.removeFirst();
                queuedBytes -= batch.bytes();
            }
            while (!inFlight.isEmpty()) {
                waiting.addFirst(inFlight.removeLast());
            }
            broken = null;
            thrown = thrown == null ? failure : thrown;
            isUntold = true;
            quietNanos = env.nanoTime();
            room.signalAll();
        } finally {
            lock.unlock();
        }
    }

    private Throwable cause() {
        lock.lock();
        try {
            return Objects.requireNonNull(broken);
        } finally {
            lock.unlock();
        }
    }

    /// So that a reader need not recover it. Everything in it is durable without that.
    private void closeLedger() {
        try {
            chain.ledgers().await(ledger.closeAsync(), "sealing ledger " + ledger.getId());
        } catch (LogException e) {
            // The next writer seals it.
        }
    }

    /// The writer is over; nothing is under way any more.
    private void fail(LogException failure) {
        Deque<LedgerBatch> lost = new ArrayDeque<>();
        boolean wasAlive;
        lock.lock();
        try {
            wasAlive = ended == null;
            ended = failure;
            lost.addAll(inFlight);
            lost.addAll(waiting);
            inFlight.clear();
            waiting.clear();
            queuedBytes = 0;
            room.signalAll();
        } finally {
            lock.unlock();
        }
        var _ = ledger.closeAsync();
        if (wasAlive) {
            try {
                fatal.accept(failure);
            } catch (RuntimeException e) {
                failure.addSuppressed(e);
            }
        }
        lost.forEach(batch -> batch.refuse(failure));
    }

    private void finish() {
        lock.lock();
        try {
            finished = true;
            gone.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /// Whether it was interrupted.
    @GuardedBy("lock")
    private boolean await(Condition condition, Duration most) {
        try {
            env.await(condition, most);
            return false;
        } catch (InterruptedException e) {
            return true;
        }
    }

    private static void restoreInterrupt(boolean interrupted) {
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
