package io.cleave.bookkeeper;

import io.cleave.base.Check;
import io.cleave.blob.BlobWriter;

import org.apache.bookkeeper.client.api.WriteAdvHandle;
import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;

/// Writes a blob as the entries of one ledger. The bytes of one call stay in one entry, if they are
/// not larger than [#MOST_ENTRY_BYTES]. So a caller that writes one block per call can read each
/// block with one read. Small writes share an entry. Threads: one at a time.
final class BookKeeperBlobWriter implements BlobWriter {
    /// Small writes are collected up to this size: see docs/bookkeeper.md for measurements.
    static final int ENTRY_BYTES = 16 << 10;

    /// Larger writes are divided, because bookies and clients keep whole entries in memory.
    static final int MOST_ENTRY_BYTES = 256 << 10;

    /// The most entries that are sent and not yet acknowledged.
    private static final int MOST_IN_FLIGHT = 64;

    private final BlobLedgers ledgers;
    private final BlobRegistry registry;
    private final BlobRegistry.Ticket ticket;
    private final Queue<CompletableFuture<Long>> inFlight = new ArrayDeque<>();

    /// Created when there is something to write.
    private @Nullable WriteAdvHandle ledger;

    /// Whether the ledger exists.
    private enum LedgerState {
        ABSENT,
        EXISTS,
        /// Its creation failed; it may exist all the same, or appear later.
        UNKNOWN
    }

    private LedgerState ledgerState = LedgerState.ABSENT;

    private byte[] entry = new byte[ENTRY_BYTES];
    private int filledBytes;
    private int[] entryBytes = new int[16];
    private int entryCount;
    private long offset;

    private enum Stage {
        WRITING,
        /// A failure happened, and it is unknown what BookKeeper has of the blob.
        BROKEN,
        SEALED,
        CLOSED
    }

    private Stage stage = Stage.WRITING;

    BookKeeperBlobWriter(BlobLedgers ledgers, BlobRegistry registry, BlobRegistry.Ticket ticket) {
        this.ledgers = ledgers;
        this.registry = registry;
        this.ticket = ticket;
    }

    @Override
    public long id() {
        return ticket.blobId();
    }

    @Override
    public long offset() {
        return offset;
    }

    @Override
    public void write(ByteBuffer bytes) {
        checkWriting();
        offset += bytes.remaining();
        try {
            if (filledBytes + bytes.remaining() > ENTRY_BYTES) {
                endEntry();
            }
            while (bytes.remaining() > ENTRY_BYTES) {
                byte[] large = new byte[Math.min(bytes.remaining(), MOST_ENTRY_BYTES)];
                bytes.get(large);
                addData(large, large.length);
            }
            int count = bytes.remaining();
            bytes.get(entry, filledBytes, count);
            filledBytes += count;
        } catch (IOException e) {
            stage = Stage.BROKEN;
            throw new UncheckedIOException("cannot write " + name() + ": " + e.getMessage(), e);
        }
    }

    @Override
    public void seal() {
        checkWriting();
        // Stays so unless everything succeeds.
        stage = Stage.BROKEN;
        try {
            endEntry();
            byte[] index = EntryIndex.of(entryBytes, entryCount).encode();
            add(entryCount, index, index.length);
            while (!inFlight.isEmpty()) {
                BlobLedgers.await(inFlight.remove());
            }
            BlobLedgers.await(ledger().closeAsync());
            registry.seal(ticket);
        } catch (IOException e) {
            throw new UncheckedIOException("cannot seal " + name() + ": " + e.getMessage(), e);
        }
        stage = Stage.SEALED;
    }

    @Override
    public void close() {
        if (stage == Stage.SEALED || stage == Stage.CLOSED) {
            return;
        }
        stage = Stage.CLOSED;
        boolean isQuiet = isLedgerClosed();
        try {
            // Sealing may have failed after the name was given.
            registry.forget(ticket);
            if (ledgerState != LedgerState.ABSENT) {
                ledgers.delete(ticket.ledgerId());
            }
            // Otherwise the run stays, and the next process that opens the store removes a ledger
            // that appears later.
            if (isQuiet && ledgerState != LedgerState.UNKNOWN) {
                registry.give(ticket);
            }
        } catch (IOException e) {
            throw new UncheckedIOException("cannot remove " + name() + ": " + e.getMessage(), e);
        }
    }

    /// Closes the ledger after success or failure. Returns whether BookKeeper certainly takes no
    /// more entries for it, so that nothing appears after its deletion.
    private boolean isLedgerClosed() {
        if (ledger == null) {
            return true;
        }
        try {
            BlobLedgers.await(ledger.closeAsync().handle((_, _) -> true));
            return true;
        } catch (IOException e) {
            return false;
        }
    }

    private void endEntry() throws IOException {
        if (filledBytes > 0) {
            addData(entry, filledBytes);
            // The client keeps the bytes until they are acknowledged.
            entry = new byte[ENTRY_BYTES];
            filledBytes = 0;
        }
    }

    private void addData(byte[] bytes, int count) throws IOException {
        if (entryCount == entryBytes.length) {
            entryBytes = Arrays.copyOf(entryBytes, 2 * entryCount);
        }
        entryBytes[entryCount] = count;
        add(entryCount, bytes, count);
        entryCount++;
    }

    private void add(long entryId, byte[] bytes, int count) throws IOException {
        if (inFlight.size() == MOST_IN_FLIGHT) {
            BlobLedgers.await(inFlight.remove());
        }
        inFlight.add(ledger().writeAsync(entryId, bytes, 0, count));
    }

    private WriteAdvHandle ledger() throws IOException {
        WriteAdvHandle known = ledger;
        if (known == null) {
            ledgerState = LedgerState.UNKNOWN;
            known = ledgers.create(ticket.ledgerId());
            ledgerState = LedgerState.EXISTS;
            ledger = known;
        }
        return known;
    }

    private String name() {
        return "blob " + id() + " (ledger " + ticket.ledgerId() + ")";
    }

    private void checkWriting() {
        Check.that(stage == Stage.WRITING, "blob %d is %s", id(), stage);
    }
}
