package io.cleave.bookkeeper;

import org.apache.bookkeeper.client.api.LedgerEntries;
import org.apache.bookkeeper.client.api.LedgerEntry;
import org.apache.bookkeeper.client.api.ReadHandle;
import org.jspecify.annotations.Nullable;

import java.util.concurrent.CompletableFuture;

/// Reads the entries of a ledger in their order, ahead of whoever takes them. Threads: one at a
/// time.
final class LedgerReader implements AutoCloseable {
    /// Entries that are asked for together.
    private static final int MAX_ENTRIES = 128;

    private static final long MAX_BYTES = 4L << 20;

    private final LedgerChain chain;
    private final long ledgerId;
    private ReadHandle ledger;

    /// The next entry to be asked for, and the last that may be.
    private long nextEntry;

    private long lastEntry = LedgerFrontier.NO_ENTRY;
    private int entriesAtOnce = 16;

    /// Asked for, and not taken yet.
    private @Nullable CompletableFuture<LedgerEntries> ahead;

    /// Taken, and not released yet.
    private @Nullable LedgerEntries taken;

    LedgerReader(LedgerChain chain, long ledgerId) {
        this.chain = chain;
        this.ledgerId = ledgerId;
        ledger = chain.ledgers().open(ledgerId);
        extendToSeal(ledger);
    }

    /// For messages.
    String name() {
        return chain.nameOf(ledger);
    }

    /// The entries up to this one are durable.
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

    /// As it was when it was opened last.
    boolean isSealed() {
        return ledger.isClosed();
    }

    private void extendToSeal(ReadHandle opened) {
        if (opened.isClosed()) {
            extendTo(Ledgers.lastEntry(opened));
        }
    }

    /// Goes to the entry with the record, or to where it would be.
    void seek(long firstPosition, long position) {
        if (position == firstPosition) {
            return;
        }
        // The last entry that begins at or before it, and is no later part of it.
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

    /// The entry that comes next, if it may be read and was not asked for yet.
    long unasked() {
        return ahead == null && nextEntry <= lastEntry ? nextEntry : LedgerFrontier.NO_ENTRY;
    }

    /// The next entry is known already.
    void passOver() {
        nextEntry++;
    }

    /// Whether all entries that may be read have been taken.
    boolean isAtEnd() {
        return ahead == null && nextEntry > lastEntry;
    }

    /// The next entries, at least one; until the next call of [#release].
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

    /// Many small ones, few large ones.
    private void adapt(LedgerEntries entries) {
        long bytes = 0;
        int count = 0;
        for (LedgerEntry entry : entries) {
            // getLength() counts all of the ledger up to here.
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
