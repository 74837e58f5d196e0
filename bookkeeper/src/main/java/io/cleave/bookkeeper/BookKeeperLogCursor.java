package io.cleave.bookkeeper;

import io.cleave.base.Bytes;
import io.cleave.base.CorruptionException;
import io.cleave.bookkeeper.LedgerList.Span;
import io.cleave.log.LogCursor;
import io.cleave.log.LogException;
import io.cleave.log.TrimmedException;

import org.apache.bookkeeper.client.api.BKException;
import org.apache.bookkeeper.client.api.LedgerEntry;
import org.jspecify.annotations.Nullable;

import java.io.ByteArrayOutputStream;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Optional;

/// Iterates over the records of a log, from ledger to ledger. Several entries are read at a time;
/// the next ones are requested while the caller processes the last ones. Threads: one at a time.
final class BookKeeperLogCursor implements LogCursor {
    private final BookKeeperLog log;

    /// The position of the next record.
    private long next;

    private Bytes record = Bytes.EMPTY;

    /// The next records, from position `next` on.
    private final Deque<Bytes> ready = new ArrayDeque<>();

    /// The parts, so far, of the next record, if it is a large one.
    private final ByteArrayOutputStream parts = new ByteArrayOutputStream();

    /// The current reader; null before the first record and between ledgers.
    private @Nullable LedgerReader reader;

    private @Nullable Span span;

    BookKeeperLogCursor(BookKeeperLog log, long from) {
        this.log = log;
        next = from;
    }

    @Override
    public boolean next() {
        LedgerChain chain = log.chain();
        while (true) {
            long first = chain.list().firstPosition();
            if (next < first) {
                throw new TrimmedException(next, first);
            }
            Bytes found = ready.poll();
            if (found != null) {
                record = found;
                next++;
                return true;
            }
            try {
                if (!fill()) {
                    return false;
                }
            } catch (LogException e) {
                abandonReader();
                throw explained(e);
            }
        }
    }

    /// Reads more entries. Returns false at the end of the durable records.
    private boolean fill() {
        LedgerFrontier frontier = log.frontier();
        if (next >= frontier.end()) {
            return false;
        }
        if (reader == null && !open(frontier)) {
            return false;
        }
        LedgerReader from = reader;
        Span at = span;
        if (from == null || at == null) {
            return true;
        }
        if (at.ledgerId() == frontier.ledgerId()) {
            from.extendTo(frontier.lastEntry());
            if (takeRecent(from, at)) {
                return true;
            }
        } else if (from.isAtEnd()) {
            // The ledger may have been sealed since it was opened.
            from.extendToSeal();
            if (!from.isSealed()) {
                // It must be sealed, because another ledger follows it. A ZooKeeper server lags
                // behind.
                throw new LogException(
                        from.name() + " was sealed, and ZooKeeper does not say so yet", null);
            }
        }
        if (from.isAtEnd()) {
            // An incomplete record was never acknowledged, so its parts are dropped.
            parts.reset();
            closeReader();
            return true;
        }
        for (LedgerEntry entry : from.next()) {
            take(
                    LedgerRecords.decode(from.name(), entry.getEntryId(), entry.getEntryBuffer()),
                    entry.getEntryId());
        }
        from.release();
        return true;
    }

    /// Opens the ledger with the next record. Returns false if this process does not know it yet.
    private boolean open(LedgerFrontier frontier) {
        LedgerList list = log.chain().list();
        if (list.indexOfLedger(frontier.ledgerId()) < 0) {
            list = log.chain().refresh();
        }
        if (list.isEmpty() || next < list.firstPosition()) {
            return !list.isEmpty();
        }
        Span found = list.ledgers().get(list.indexOf(next));
        Span before = span;
        if (before != null && before.ledgerId() == found.ledgerId()) {
            throw new CorruptionException(
                    log.name(),
                    next,
                    "ledger " + found.ledgerId() + " ends before the one after it begins");
        }
        var opened = new LedgerReader(log.chain(), found.ledgerId());
        if (found.ledgerId() == frontier.ledgerId()) {
            opened.extendTo(frontier.lastEntry());
        }
        reader = opened;
        span = found;
        opened.seek(found.firstPosition(), next);
        return true;
    }

    /// Takes entries that the tail of the log has just read. Returns whether there were any.
    private boolean takeRecent(LedgerReader from, Span at) {
        boolean taken = false;
        while (from.unasked() != LedgerFrontier.NO_ENTRY) {
            long entryId = from.unasked();
            LedgerRecords known = log.recent().find(at.ledgerId(), entryId);
            if (known == null) {
                break;
            }
            take(known, entryId);
            from.passOver();
            taken = true;
        }
        return taken;
    }

    private void take(LedgerRecords entry, long entryId) {
        if (entry.isPart()) {
            takePart(entry, entryId);
            return;
        }
        long expected = next + ready.size();
        for (int index = 0; index < entry.records().size(); index++) {
            long position = entry.position() + index;
            if (position >= expected) {
                checkPosition(expected, position, entryId);
                ready.add(entry.records().get(index));
                expected++;
            }
        }
    }

    private void takePart(LedgerRecords entry, long entryId) {
        long expected = next + ready.size();
        if (entry.position() < expected) {
            return;
        }
        checkPosition(expected, entry.position(), entryId);
        parts.writeBytes(entry.records().getFirst().array());
        if (entry.part() == entry.parts() - 1) {
            ready.add(Bytes.wrap(parts.toByteArray()));
            parts.reset();
        }
    }

    private void checkPosition(long expected, long found, long entryId) {
        if (found != expected) {
            throw new CorruptionException(
                    log.name(), entryId, "record %d where %d should be".formatted(found, expected));
        }
    }

    /// A missing ledger was trimmed, if the list says so.
    private RuntimeException explained(LogException e) {
        if (Ledgers.codeOf(e) == BKException.Code.DigestMatchException) {
            return new CorruptionException(log.name(), next, "a bad checksum: " + e.getMessage());
        }
        boolean isMissing =
                Ledgers.isGone(e) || Ledgers.codeOf(e) == BKException.Code.NoSuchEntryException;
        Optional<Long> first =
                isMissing ? Optional.of(log.chain().refresh().firstPosition()) : Optional.empty();
        return first.isPresent() && next < first.get()
                ? new TrimmedException(next, first.get())
                : e;
    }

    @Override
    public long position() {
        return next - 1;
    }

    @Override
    public Bytes record() {
        return record;
    }

    /// The reader may have skipped what it could not read. A new one begins again at `next`.
    private void abandonReader() {
        closeReader();
        span = null;
        parts.reset();
    }

    private void closeReader() {
        if (reader != null) {
            reader.close();
            reader = null;
        }
    }

    @Override
    public void close() {
        closeReader();
    }
}
