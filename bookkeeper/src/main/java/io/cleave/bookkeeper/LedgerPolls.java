package io.cleave.bookkeeper;

import com.google.errorprone.annotations.concurrent.GuardedBy;

import io.cleave.base.Env;
import io.cleave.log.LogException;
import io.netty.buffer.ByteBuf;

import org.apache.bookkeeper.client.api.BKException;
import org.apache.bookkeeper.client.api.LedgerMetadata;
import org.apache.bookkeeper.client.api.ReadHandle;
import org.apache.bookkeeper.net.BookieId;
import org.apache.bookkeeper.proto.BookieClient;
import org.apache.bookkeeper.proto.BookieProtocol;
import org.apache.bookkeeper.proto.ReadLastConfirmedAndEntryContext;
import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.ReentrantLock;

/// Asks the bookies of a ledger that another process writes how far it is confirmed.
///
/// A request waits at its bookie until more is confirmed than was known when it was sent. Enough
/// bookies have a request at any time that at least one of them has acknowledged any given entry.
/// So a slow bookie delays nobody, and a failed one is replaced by another. BookKeeper's own long
/// poll asks the bookies one after the other instead, each for as long as the request may wait.
///
/// Threads: one asks; the answers arrive on BookKeeper's threads.
final class LedgerPolls {
    /// How long a request may wait at a bookie.
    private static final Duration WAIT = Duration.ofSeconds(1);

    /// The pause after a failure. It grows with each further failure.
    private static final Duration FIRST_REST = Duration.ofMillis(5);

    private static final Duration LONGEST_REST = Duration.ofMillis(100);

    private final Env env;
    private final BookieClient bookies;
    private final ReadHandle ledger;
    private final EntryCheck check;
    private final ReentrantLock lock = new ReentrantLock();

    @GuardedBy("lock")
    private final List<Poll> polls = new ArrayList<>();

    /// The last confirmed entry according to any bookie.
    @GuardedBy("lock")
    private long lastConfirmed = LedgerFrontier.NO_ENTRY;

    /// The bookie that reported `lastConfirmed`.
    @GuardedBy("lock")
    private @Nullable BookieId quick;

    /// The newest entry that came with an answer.
    @GuardedBy("lock")
    private @Nullable PolledEntry newest;

    /// Completed by the next answer.
    @GuardedBy("lock")
    private CompletableFuture<Boolean> answer = new CompletableFuture<>();

    /// A request that is sent again after each answer. Guarded by the lock.
    private static final class Poll {
        /// The index of the bookie in the ensemble.
        int bookie;

        boolean isUnderWay;

        /// The number of consecutive failures.
        int failures;

        long failedNanos;
    }

    private record PolledEntry(long entryId, LedgerRecords records) {}

    /// `name` is for messages.
    LedgerPolls(Env env, Ledgers ledgers, BookieClient bookies, ReadHandle ledger, String name) {
        this.env = env;
        this.bookies = bookies;
        this.ledger = ledger;
        check = new EntryCheck(ledgers, ledger.getId(), name);
        LedgerMetadata metadata = ledger.getLedgerMetadata();
        int count = metadata.getEnsembleSize() - metadata.getAckQuorumSize() + 1;
        for (int number = 0; number < count; number++) {
            var poll = new Poll();
            // Different ledgers begin with different bookies.
            poll.bookie = (int) ((ledger.getId() + number) % metadata.getEnsembleSize());
            polls.add(poll);
        }
    }

    /// Completed when there may be an entry after `known`, and after a while in any case. Throws if
    /// no bookie answers any more.
    CompletableFuture<Boolean> ask(long known) {
        lock.lock();
        try {
            if (lastConfirmed > known) {
                return CompletableFuture.completedFuture(true);
            }
            if (answer.isDone()) {
                answer = new CompletableFuture<>();
            }
            CompletableFuture<Boolean> next = answer;
            List<BookieId> ensemble =
                    ledger.getLedgerMetadata().getAllEnsembles().lastEntry().getValue();
            if (polls.stream().allMatch(poll -> poll.failures > ensemble.size())) {
                throw new LogException(
                        "no bookie of ledger %d answers: are %s running?"
                                .formatted(ledger.getId(), ensemble),
                        null);
            }
            for (Poll poll : polls) {
                if (!poll.isUnderWay && restNanos(poll) <= 0) {
                    send(poll, known, ensemble.get(poll.bookie % ensemble.size()));
                }
            }
            return next;
        } finally {
            lock.unlock();
        }
    }

    /// The time after which the caller must ask again at the latest.
    Duration patience() {
        lock.lock();
        try {
            long nanos = WAIT.multipliedBy(2).toNanos();
            for (Poll poll : polls) {
                if (!poll.isUnderWay) {
                    nanos = Math.min(nanos, restNanos(poll));
                }
            }
            return Duration.ofNanos(Math.max(0, nanos));
        } finally {
            lock.unlock();
        }
    }

    /// The remaining pause before the request is sent again.
    @GuardedBy("lock")
    private long restNanos(Poll poll) {
        if (poll.failures == 0) {
            return 0;
        }
        long rest =
                Math.min(
                        FIRST_REST.toNanos() << Math.min(poll.failures - 1, 10),
                        LONGEST_REST.toNanos());
        return rest - (env.nanoTime() - poll.failedNanos);
    }

    @GuardedBy("lock")
    private void send(Poll poll, long known, BookieId bookie) {
        poll.isUnderWay = true;
        bookies.readEntryWaitForLACUpdate(
                bookie,
                ledger.getId(),
                BookieProtocol.LAST_ADD_CONFIRMED,
                known,
                WAIT.toMillis(),
                true,
                (code, _, entryId, body, context) ->
                        answered(
                                poll,
                                code,
                                entryId,
                                body,
                                (ReadLastConfirmedAndEntryContext) context),
                new ReadLastConfirmedAndEntryContext(poll.bookie, bookie));
    }

    /// Called on BookKeeper's thread, or on the asking thread if there is no connection.
    private void answered(
            Poll poll,
            int code,
            long entryId,
            @Nullable ByteBuf body,
            ReadLastConfirmedAndEntryContext context) {
        CompletableFuture<Boolean> told;
        lock.lock();
        try {
            told = answer;
            poll.isUnderWay = false;
            if (code == BKException.Code.OK) {
                poll.failures = 0;
                if (context.getLastAddConfirmed() > lastConfirmed) {
                    lastConfirmed = context.getLastAddConfirmed();
                    quick = context.getBookieAddress();
                }
                if (entryId >= 0 && body != null && (newest == null || newest.entryId < entryId)) {
                    take(entryId, body);
                }
            } else {
                poll.failures++;
                poll.failedNanos = env.nanoTime();
                poll.bookie = other(poll);
            }
        } finally {
            lock.unlock();
        }
        told.complete(true);
    }

    /// A damaged entry is dropped; the reader reads it from another bookie.
    @GuardedBy("lock")
    private void take(long entryId, ByteBuf body) {
        LedgerRecords records = check.records(entryId, body);
        newest = records == null ? null : new PolledEntry(entryId, records);
    }

    /// A bookie without a request, if there is one.
    @GuardedBy("lock")
    private int other(Poll failed) {
        int size = ledger.getLedgerMetadata().getEnsembleSize();
        int next = failed.bookie;
        for (int step = 0; step < size; step++) {
            next = (next + 1) % size;
            int candidate = next;
            if (polls.stream().noneMatch(poll -> poll.bookie == candidate)) {
                return candidate;
            }
        }
        return failed.bookie;
    }

    /// The last confirmed entry according to any bookie.
    long lastConfirmed() {
        lock.lock();
        try {
            return lastConfirmed;
        } finally {
            lock.unlock();
        }
    }

    /// The bookie that reported `lastConfirmed`; null while none has.
    @Nullable BookieId quick() {
        lock.lock();
        try {
            return quick;
        } finally {
            lock.unlock();
        }
    }

    /// The entry, if it came with an answer.
    @Nullable LedgerRecords entry(long entryId) {
        lock.lock();
        try {
            return newest != null && newest.entryId == entryId ? newest.records : null;
        } finally {
            lock.unlock();
        }
    }
}
