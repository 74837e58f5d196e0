package io.cleave.bookkeeper;

import com.google.errorprone.annotations.concurrent.GuardedBy;

import io.cleave.base.Bytes;
import io.cleave.base.Env;
import io.cleave.log.Completion;
import io.cleave.log.FencedException;
import io.cleave.log.LogException;
import io.cleave.log.LogOptions;
import io.cleave.log.LogWriter;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import java.util.function.Function;

/// Appends records to the ledgers of a log.
///
/// One thread, the sender, sends all waiting records as one entry and continues with the next one,
/// while up to [#MAX_ENTRIES_IN_FLIGHT] entries are in flight. So a single record is sent at once,
/// and many records share entries. The bookies' answers arrive in entry order on a thread of
/// BookKeeper, which calls the completions.
///
/// A ledger that takes no more entries is no failure of the log. The reason may be that bookies are
/// gone, or that a process that is no writer has fenced it. The sender seals the ledger, finds out
/// which entries in flight it has taken, and sends the others to a new ledger with the same
/// positions. It repeats this for as long as necessary. Only a newer epoch in the list of ledgers
/// ends the writer: then it is fenced.
///
/// When no more records arrive, an entry without records tells readers that the last entry is
/// confirmed ([IdleConfirmation]). BookKeeper's own mechanism for this (explicit
/// last-add-confirmed) misses it once in a thousand times on a busy machine.
///
/// Threads: any.
final class BookKeeperLogWriter implements LogWriter {
    /// More entries do not increase the throughput: waiting records share entries instead.
    static final int MAX_ENTRIES_IN_FLIGHT = 8;

    private static final Duration LONG = Duration.ofMinutes(1);

    private final Env env;
    private final LedgerChain chain;
    private final LedgerSuccession succession;
    private final PresentLedger ledger;
    private final Consumer<LedgerFrontier> durable;
    private final Consumer<Throwable> fatal;
    private final long epoch;

    private final ReentrantLock lock = new ReentrantLock();
    private final Condition work = lock.newCondition();
    private final Condition room = lock.newCondition();
    private final Condition gone = lock.newCondition();

    @GuardedBy("lock")
    private final LedgerQueue queue;

    @GuardedBy("lock")
    private final IdleConfirmation idleConfirmation;

    /// The number of entries that BookKeeper has not answered yet.
    @GuardedBy("lock")
    private int unanswered;

    /// Why the current ledger takes no more entries; null while it does.
    @GuardedBy("lock")
    private @Nullable Throwable broken;

    /// An exception of a completion or of the encoding of an entry. The log works, but its owner
    /// has failed.
    @GuardedBy("lock")
    private @Nullable Throwable thrown;

    /// Why nothing can be appended any more; null while the writer lives.
    @GuardedBy("lock")
    private @Nullable LogException ended;

    /// Whether the sender waits and must be signalled.
    @GuardedBy("lock")
    private boolean idle;

    /// Whether the sender has ended.
    @GuardedBy("lock")
    private boolean finished;

    private final StallWatch watch;
    private final CopiesWatch copies;

    BookKeeperLogWriter(
            Env env,
            LedgerChain chain,
            LedgerChain.Head head,
            LogOptions options,
            Consumer<LedgerFrontier> durable,
            Consumer<Throwable> fatal) {
        this.env = env;
        this.chain = chain;
        this.durable = durable;
        this.fatal = fatal;
        epoch = head.epoch();
        succession = new LedgerSuccession(env, chain, epoch, this::isAlive);
        queue = new LedgerQueue(head.from(), options.queueBytes());
        idleConfirmation = new IdleConfirmation(env);
        ledger =
                new PresentLedger(
                        env,
                        head.ledger(),
                        options.segmentBytes(),
                        chain.ledgers().settings().rollAge());
        watch =
                new StallWatch(
                        env,
                        chain.ledgers().settings().stallTimeout(),
                        this::oldestNanos,
                        () -> !isAlive());
        copies = new CopiesWatch(env, chain.bookies(), ledger::handle, () -> !isAlive());
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
            position = queue.nextPosition();
            refused = ended;
            if (refused == null) {
                queue.add(record, completion, env.nanoTime());
                if (idle && queue.inFlight() < MAX_ENTRIES_IN_FLIGHT) {
                    work.signal();
                }
                return position;
            }
        } finally {
            lock.unlock();
        }
        completion.completed(position, refused);
        return position;
    }

    /// The sender needs no help, because its thread does not wait for a disk.
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

    @GuardedBy("lock")
    private boolean isFullFor(int recordBytes) {
        return ended == null && queue.isFullFor(recordBytes);
    }

    @GuardedBy("lock")
    private void awaitRoom(int recordBytes) {
        boolean interrupted = false;
        while (isFullFor(recordBytes)) {
            interrupted |= env.awaitUninterrupted(room, LONG);
        }
        Env.restoreInterrupt(interrupted);
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
            return queue.nextPosition();
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
            LedgerBatch oldest = queue.oldest();
            return oldest == null ? OptionalLong.empty() : OptionalLong.of(oldest.sinceNanos());
        } finally {
            lock.unlock();
        }
    }

    /// Whether the writer may still append.
    boolean isAlive() {
        lock.lock();
        try {
            return ended == null;
        } finally {
            lock.unlock();
        }
    }

    /// Refuses records that are not sent yet, and returns when nothing more will be sent.
    void fence() {
        end(new FencedException(epoch), LedgerQueue::dropWaiting);
    }

    @Override
    public void close() {
        var closed = new LogException("the log's writer " + epoch + " was closed", null);
        end(closed, _ -> List.of());
    }

    private void end(LogException reason, Function<LedgerQueue, List<LedgerBatch>> drop) {
        List<LedgerBatch> dropped = List.of();
        boolean interrupted = false;
        lock.lock();
        try {
            if (ended == null) {
                ended = reason;
                dropped = drop.apply(queue);
            }
            work.signal();
            room.signalAll();
            while (!finished) {
                interrupted |= env.awaitUninterrupted(gone, LONG);
            }
        } finally {
            lock.unlock();
        }
        dropped.forEach(batch -> batch.refuse(reason));
        Env.restoreInterrupt(interrupted);
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
                        return queue.isEmpty() && ended != null ? Step.END : Step.REPAIR;
                    }
                } else if (queue.hasWaiting() && isLedgerFull()) {
                    if (unanswered == 0) {
                        return Step.ROLL;
                    }
                } else if (queue.hasWaiting() && queue.inFlight() < MAX_ENTRIES_IN_FLIGHT) {
                    return Step.SEND;
                } else if (isQuiet()) {
                    if (ended != null) {
                        return Step.END;
                    }
                    if (idleConfirmation.isDue()) {
                        return Step.TELL;
                    }
                }
                idle = true;
                // Nobody interrupts this thread. If it happens, the thread goes on waiting.
                var _ = env.awaitUninterrupted(work, patience());
                idle = false;
            }
        } finally {
            lock.unlock();
        }
    }

    @GuardedBy("lock")
    private boolean isQuiet() {
        return !queue.hasWaiting() && unanswered == 0;
    }

    @GuardedBy("lock")
    private Duration patience() {
        return idleConfirmation.isWanted() && broken == null && isQuiet()
                ? idleConfirmation.in()
                : LONG;
    }

    private boolean isLedgerFull() {
        return ledger.isFull() || copies.isShort(ledger.id());
    }

    private LedgerBatch takeWaiting() {
        lock.lock();
        try {
            LedgerBatch batch = queue.take();
            unanswered += batch.entryCount();
            idleConfirmation.untold();
            return batch;
        } finally {
            lock.unlock();
        }
    }

    private void send(LedgerBatch batch) {
        long ledgerId = ledger.id();
        for (int entry = 0; entry < batch.entryCount(); entry++) {
            boolean isLast = entry == batch.entryCount() - 1;
            CompletableFuture<Long> sent;
            try {
                sent = ledger.append(batch.encode(epoch, entry));
            } catch (RuntimeException | Error e) {
                unsent(batch.entryCount() - entry, e);
                return;
            }
            var _ =
                    sent.whenComplete(
                            (entryId, failure) -> {
                                if (failure == null && isLast) {
                                    added(batch, ledgerId, entryId);
                                } else {
                                    answered(failure);
                                }
                            });
        }
    }

    /// Sends an entry without records.
    private void tell() {
        long position;
        lock.lock();
        try {
            idleConfirmation.told();
            unanswered++;
            position = queue.nextSent();
        } finally {
            lock.unlock();
        }
        CompletableFuture<Long> sent;
        try {
            sent = ledger.append(LedgerRecords.encode(epoch, position, List.of()));
        } catch (RuntimeException | Error e) {
            unsent(1, e);
            return;
        }
        var _ = sent.whenComplete((_, failure) -> answered(failure));
    }

    /// Called if an entry could not be sent. The writer ends when all sent entries are answered.
    private void unsent(int entryCount, Throwable failure) {
        lock.lock();
        try {
            unanswered -= entryCount;
            thrown = thrown == null ? failure : thrown;
        } finally {
            lock.unlock();
        }
    }

    /// Called when BookKeeper has answered an entry. An entry that the ledger did not take breaks
    /// the ledger: it takes none of the following ones.
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

    /// Called on BookKeeper's thread, in entry order.
    private void added(LedgerBatch batch, long ledgerId, long entryId) {
        durable.accept(new LedgerFrontier(ledgerId, entryId, batch.end()));
        Throwable failure = batch.acknowledge();
        lock.lock();
        try {
            unanswered--;
            if (unanswered == 0) {
                idleConfirmation.quiet();
            }
            thrown = thrown == null ? failure : thrown;
            queue.completed(batch);
            room.signalAll();
            if (idle && (queue.inFlight() == 0 || queue.hasWaiting() || thrown != null)) {
                work.signal();
            }
        } finally {
            lock.unlock();
        }
    }

    /// Everything sent is acknowledged: seals the ledger and begins the next one.
    private void roll() {
        try {
            chain.ledgers().await(ledger.seal(), "sealing ledger " + ledger.id());
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
            return queue.nextSent();
        } finally {
            lock.unlock();
        }
    }

    private void continueIn(LedgerChain.Head head) {
        ledger.begin(head.ledger());
        durable.accept(new LedgerFrontier(ledger.id(), LedgerFrontier.NO_ENTRY, head.from()));
    }

    /// Continues in a new ledger with the entries that the old one has not taken.
    private void repair() {
        Throwable cause = cause();
        succession.awaitRival(cause);
        // Only releases BookKeeper's handle. The ledger is sealed by the process that continues the
        // log.
        var _ = ledger.seal();
        LedgerChain.Head head = succession.next(cause);
        List<LedgerBatch> made;
        lock.lock();
        try {
            made = queue.inFlightUpTo(head.from());
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
            made.forEach(queue::completed);
            queue.sendAgain();
            broken = null;
            thrown = thrown == null ? failure : thrown;
            idleConfirmation.untold();
            idleConfirmation.quiet();
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

    /// Seals the ledger so that a reader need not recover it. Its entries are durable anyway.
    private void closeLedger() {
        try {
            chain.ledgers().await(ledger.seal(), "sealing ledger " + ledger.id());
        } catch (LogException e) {
            // The next writer seals it.
        }
    }

    /// Ends the writer. Nothing is in flight any more.
    private void fail(LogException failure) {
        List<LedgerBatch> lost;
        boolean wasAlive;
        lock.lock();
        try {
            wasAlive = ended == null;
            ended = failure;
            lost = queue.dropAll();
            room.signalAll();
        } finally {
            lock.unlock();
        }
        var _ = ledger.seal();
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
}
