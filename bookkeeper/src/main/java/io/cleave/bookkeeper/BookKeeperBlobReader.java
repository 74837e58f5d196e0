package io.cleave.bookkeeper;

import io.cleave.base.CorruptionException;
import io.cleave.blob.BlobReader;
import io.netty.buffer.ByteBuf;

import org.apache.bookkeeper.client.api.LedgerEntries;
import org.apache.bookkeeper.client.api.ReadHandle;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;

/// Reads a sealed blob. A block takes one read of one entry; a longer range takes many concurrent
/// reads. Sequential reads find the next entries already requested: see [ReadAhead]. Threads: any.
final class BookKeeperBlobReader implements BlobReader {
    /// The most concurrent reads of one call.
    private static final int MOST_IN_FLIGHT = 32;

    private final String name;
    private final ReadHandle ledger;
    private final EntryIndex index;
    private final ReadAhead ahead = new ReadAhead();

    BookKeeperBlobReader(String name, ReadHandle ledger, EntryIndex index) {
        this.name = name;
        this.ledger = ledger;
        this.index = index;
    }

    /// Reads the index, which is the last entry.
    static EntryIndex readIndex(String name, ReadHandle ledger) throws IOException {
        long last = ledger.getLastAddConfirmed();
        if (last < 0) {
            throw new CorruptionException(name, 0, "the ledger has no entries");
        }
        var index =
                EntryIndex.decode(name, ByteBuffer.wrap(BlobLedgers.await(fetch(ledger, last))));
        if (index.count() != last) {
            throw new CorruptionException(
                    name, 0, "%d entries, and an index of %d".formatted(last, index.count()));
        }
        return index;
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public long size() {
        return index.size();
    }

    @Override
    public ByteBuffer read(long offset, int length) {
        if (offset < 0 || length < 0 || length > size() || offset > size() - length) {
            throw new CorruptionException(
                    name,
                    offset,
                    "%d bytes are outside of the blob of %d".formatted(length, size()));
        }
        byte[] bytes = new byte[length];
        if (length > 0) {
            read(offset, bytes);
        }
        return ByteBuffer.wrap(bytes).asReadOnlyBuffer();
    }

    private void read(long offset, byte[] bytes) {
        int first = index.entryAt(offset);
        int last = index.entryAt(offset + bytes.length - 1);
        var span = new ReadAhead.Span(offset, offset + bytes.length, first, last);
        ReadAhead.Window window = ahead.window(span, index.count(), this::fetch);
        Queue<CompletableFuture<byte[]>> inFlight = new ArrayDeque<>();
        int next = first;
        for (int entry = first; entry <= last; entry++) {
            while (next <= last && inFlight.size() < MOST_IN_FLIGHT) {
                inFlight.add(window.take(next, this::fetch));
                next++;
            }
            copy(entry, await(entry, inFlight.remove()), offset, bytes);
        }
    }

    /// Copies the bytes from `offset` on that are in this entry.
    private void copy(int entry, byte[] entryBytes, long offset, byte[] to) {
        if (entryBytes.length != index.bytes(entry)) {
            throw new CorruptionException(
                    name,
                    index.offset(entry),
                    "entry %d has %d bytes, and not %d"
                            .formatted(entry, entryBytes.length, index.bytes(entry)));
        }
        int skipped = (int) Math.max(0, offset - index.offset(entry));
        int at = (int) Math.max(0, index.offset(entry) - offset);
        int count = Math.min(entryBytes.length - skipped, to.length - at);
        System.arraycopy(entryBytes, skipped, to, at, count);
    }

    private byte[] await(int entry, CompletableFuture<byte[]> answer) {
        try {
            return BlobLedgers.await(answer);
        } catch (IOException e) {
            if (BlobLedgers.isCorrupt(e) || BlobLedgers.isMissing(e)) {
                var corrupt =
                        new CorruptionException(
                                name, index.offset(entry), String.valueOf(e.getMessage()));
                corrupt.initCause(e);
                throw corrupt;
            }
            throw new UncheckedIOException("cannot read " + name + ": " + e.getMessage(), e);
        }
    }

    private CompletableFuture<byte[]> fetch(int entry) {
        return fetch(ledger, entry);
    }

    private static CompletableFuture<byte[]> fetch(ReadHandle ledger, long entry) {
        return ledger.readAsync(entry, entry).thenApply(BookKeeperBlobReader::bytes);
    }

    private static byte[] bytes(LedgerEntries entries) {
        try (entries) {
            ByteBuf buffer = entries.iterator().next().getEntryBuffer();
            byte[] bytes = new byte[buffer.readableBytes()];
            buffer.readBytes(bytes);
            return bytes;
        }
    }
}
