package io.cleave.bookkeeper;

import org.apache.bookkeeper.client.api.LedgerEntries;
import org.apache.bookkeeper.client.api.LedgerEntry;
import org.apache.bookkeeper.client.api.ReadHandle;
import org.jspecify.annotations.Nullable;

import java.util.concurrent.CompletableFuture;

/// Reads the entries of a ledger in order, and requests entries ahead of the caller. Threads: one
/// at a time.
final class LedgerReader implements AutoCloseable {
    /// The most entries that are requested together.
    private static final int MAX_ENTRIES = 128;

    private static final long MAX_BYTES = 4L << 20;

    private final LedgerChain chain;
    private final long ledgerId;
    private ReadHandle ledger;

    /// The next entry to request, and the last that may be requested.
    private long nextEntry;

    private long lastEntry = LedgerFrontier.NO_ENTRY;
    private int entriesAtOnce = 16;

    /// Requested, and not taken yet.
    private @Nullable CompletableFuture<LedgerEntries> ahead;

    /// Taken, and not released yet.
    private @Nullable LedgerEntries taken;

    LedgerReader(LedgerChain chain, long ledgerId) {
        this.chain = chain;
        this.ledgerId = ledgerId;
        ledger = chain.ledgers().open(ledgerId);
        extendToSeal(ledger);
    }

    /// The name for messages.
    String name() {
        return chain.nameOf(ledger);
    }

    /// Entries up to this one are durable.
    void extendTo(long entryId) {
        lastEntry = Math.max(lastEntry, entryId);
    }

    /// If the ledger is sealed now, all its entries are durable.
    void extendToSeal() {
        if (!ledger.isClosed()) {
            var _ = ledger.closeAsync();
            ledger = chain.ledgers().open(ledgerId);
        }
        extendToSeal(ledger);
    }

    /// Whether the ledger was sealed when it was last opened.
    boolean isSealed() {
        return ledger.isClosed();
    }

    private void extendToSeal(ReadHandle opened) {
        if (opened.isClosed()) {
            extendTo(Ledgers.lastEntry(opened));
        }
    }

    /// Moves to the entry with the record at `position`, or to where it would be.
    void seek(long firstPosition, long position) {
        if (position == firstPosition) {
            return;
        }
        // Finds the last entry that begins at or before the record and is not a later part of it.
        long low = 0;
        long high = lastEntry;
        while (low < high) {
            long middle = low + (high - low + 1) / 2;
            LedgerRecords found = chain.records(ledger, middle);
            boolean isAfter =
                    found.position() > position
                            || (found.position() == position && found.part() > 0);
            if (isAfter) {
                high = middle - 1;
            } else {
                low = middle;
            }
        }
        nextEntry = low;
    }

    /// The next entry, if it may be read and was not requested yet.
    long unasked() {
        return ahead == null && nextEntry <= lastEntry ? nextEntry : LedgerFrontier.NO_ENTRY;
    }

    /// Skips the next entry, because the caller already has it.
    void passOver() {
        nextEntry++;
    }

    /// Whether all entries that may be read were taken.
    boolean isAtEnd() {
        return ahead == null && nextEntry > lastEntry;
    }

    /// The next entries, at least one. They are valid until the next call of [#release].
    LedgerEntries next() {
        CompletableFuture<LedgerEntries> asked = ahead == null ? ask() : ahead;
        ahead = null;
        LedgerEntries entries = chain.ledgers().await(asked, "reading " + name());
        taken = entries;
        adapt(entries);
        if (nextEntry <= lastEntry) {
            ahead = ask();
        }
        return entries;
    }

    private CompletableFuture<LedgerEntries> ask() {
        long to = Math.min(lastEntry, nextEntry + entriesAtOnce - 1);
        CompletableFuture<LedgerEntries> asked = ledger.readUnconfirmedAsync(nextEntry, to);
        nextEntry = to + 1;
        return asked;
    }

    /// Requests many entries at once if they are small, and few if they are large.
    private void adapt(LedgerEntries entries) {
        long bytes = 0;
        int count = 0;
        for (LedgerEntry entry : entries) {
            // getLength() would count the whole ledger up to this entry.
            bytes += entry.getEntryBuffer().readableBytes();
            count++;
        }
        long entryBytes = Math.max(1, bytes / Math.max(1, count));
        entriesAtOnce = Math.clamp(MAX_BYTES / entryBytes, 1, MAX_ENTRIES);
    }

    void release() {
        if (taken != null) {
            taken.close();
            taken = null;
        }
    }

    @Override
    public void close() {
        release();
        if (ahead != null) {
            var _ = ahead.thenAccept(LedgerEntries::close);
            ahead = null;
        }
        var _ = ledger.closeAsync();
    }
}
