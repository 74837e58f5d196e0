package io.cleave.bookkeeper;

import com.google.errorprone.annotations.concurrent.GuardedBy;

import io.netty.buffer.ByteBuf;

import org.apache.bookkeeper.client.BKException;
import org.apache.bookkeeper.client.api.LedgerMetadata;
import org.apache.bookkeeper.client.api.ReadHandle;
import org.apache.bookkeeper.net.BookieId;
import org.apache.bookkeeper.proto.BookieClient;
import org.apache.bookkeeper.proto.BookieProtocol;
import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.ReentrantLock;

/// Reads entries from the bookie that answers fastest. One bookie is asked first. Another is asked
/// too if the first takes longer than usual, for example during a garbage collection, or does not
/// have the entry.
///
/// BookKeeper's own reads wait for two seconds before they ask another bookie. Threads: one reads;
/// the answers arrive on BookKeeper's threads.
final class EntryReads {
    /// Longer than most reads take.
    private static final Duration PATIENCE = Duration.ofMillis(5);

    private static final int DAMAGED = BKException.Code.DigestMatchException;

    private final Ledgers ledgers;
    private final BookieClient bookies;
    private final ReadHandle ledger;
    private final String name;
    private final ReentrantLock lock = new ReentrantLock();

    @GuardedBy("lock")
    private final EntryCheck check;

    /// An entry that is being read, and the bookies that have it. The first `asked` of them were
    /// asked.
    private static final class Read {
        final long entryId;
        final List<BookieId> holders;
        final CompletableFuture<LedgerRecords> records = new CompletableFuture<>();
        int asked;
        int failed;

        Read(long entryId, List<BookieId> holders) {
            this.entryId = entryId;
            this.holders = holders;
        }
    }

    /// `name` is for messages.
    EntryReads(Ledgers ledgers, BookieClient bookies, ReadHandle ledger, String name) {
        this.ledgers = ledgers;
        this.bookies = bookies;
        this.ledger = ledger;
        this.name = name;
        check = new EntryCheck(ledgers, ledger.getId(), name);
    }

    /// Reads the entries from `first` to `last`, which must be confirmed. `quick` is asked first.
    List<LedgerRecords> read(long first, long last, @Nullable BookieId quick)
            throws InterruptedException {
        List<Read> reads = new ArrayList<>();
        for (long entryId = first; entryId <= last; entryId++) {
            var read = new Read(entryId, holders(entryId, quick));
            reads.add(read);
            askNext(read);
        }
        var all =
                CompletableFuture.allOf(
                        reads.stream().map(read -> read.records).toArray(CompletableFuture[]::new));
        int most = ledger.getLedgerMetadata().getWriteQuorumSize();
        for (int asked = 1; asked < most && !isDone(all, PATIENCE); asked++) {
            int count = asked;
            reads.stream()
                    .filter(read -> !read.records.isDone())
                    .filter(read -> isAskedOnly(read, count))
                    .forEach(this::askNext);
        }
        ledgers.await(all, "reading " + name);
        return reads.stream().map(read -> read.records.join()).toList();
    }

    /// The bookies that have a copy of the entry.
    private List<BookieId> holders(long entryId, @Nullable BookieId quick) {
        LedgerMetadata metadata = ledger.getLedgerMetadata();
        List<BookieId> ensemble = metadata.getEnsembleAt(entryId);
        List<BookieId> holders = new ArrayList<>();
        for (int copy = 0; copy < metadata.getWriteQuorumSize(); copy++) {
            BookieId bookie = ensemble.get((int) ((entryId + copy) % ensemble.size()));
            holders.add(bookie.equals(quick) ? 0 : holders.size(), bookie);
        }
        return holders;
    }

    private boolean isAskedOnly(Read read, int count) {
        lock.lock();
        try {
            return read.asked <= count;
        } finally {
            lock.unlock();
        }
    }

    private void askNext(Read read) {
        BookieId bookie;
        lock.lock();
        try {
            if (read.asked == read.holders.size()) {
                return;
            }
            bookie = read.holders.get(read.asked);
            read.asked++;
        } finally {
            lock.unlock();
        }
        bookies.readEntry(
                bookie,
                ledger.getId(),
                read.entryId,
                (code, _, _, body, _) -> answered(read, code, body),
                null,
                BookieProtocol.FLAG_NONE);
    }

    private void answered(Read read, int code, @Nullable ByteBuf body) {
        if (read.records.isDone()) {
            return;
        }
        LedgerRecords records = code == BKException.Code.OK ? checked(read.entryId, body) : null;
        if (records == null) {
            failed(read, code == BKException.Code.OK ? DAMAGED : code);
        } else {
            read.records.complete(records);
        }
    }

    private @Nullable LedgerRecords checked(long entryId, @Nullable ByteBuf body) {
        lock.lock();
        try {
            return body == null ? null : check.records(entryId, body);
        } finally {
            lock.unlock();
        }
    }

    private void failed(Read read, int code) {
        boolean isOver;
        boolean isWaitedFor;
        lock.lock();
        try {
            read.failed++;
            isOver = read.failed == read.holders.size();
            isWaitedFor = read.failed < read.asked;
        } finally {
            lock.unlock();
        }
        if (isOver) {
            read.records.completeExceptionally(BKException.create(code));
        } else if (!isWaitedFor) {
            askNext(read);
        }
    }

    private static boolean isDone(CompletableFuture<?> future, Duration most)
            throws InterruptedException {
        try {
            future.get(most.toNanos(), TimeUnit.NANOSECONDS);
            return true;
        } catch (TimeoutException e) {
            return false;
        } catch (ExecutionException e) {
            return true;
        }
    }
}
