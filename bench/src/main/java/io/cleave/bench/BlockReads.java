package io.cleave.bench;

import io.cleave.blob.BlobReader;
import io.cleave.blob.BlobWriter;
import io.cleave.bookkeeper.BookKeeperBlobs;

import org.apache.bookkeeper.client.api.DigestType;
import org.apache.bookkeeper.client.api.ReadHandle;
import org.apache.bookkeeper.client.api.WriteHandle;

import java.time.Duration;
import java.util.List;
import java.util.Random;

/// Reads of blocks at random places, one at a time: of a blob, and by the plain client of a ledger
/// that has each block as an entry.
final class BlockReads {
    private static final int BLOCKS = 4000;

    /// So many of one kind, then as many of the other.
    private static final int A_TURN = 500;

    private static final long SEED = 7;
    private static final int P50 = 500;

    private final LedgerClients clients;
    private final Duration time;

    BlockReads(LedgerClients clients, Duration time) {
        this.clients = clients;
        this.time = time;
    }

    void run(BookKeeperBars bars) throws Exception {
        try (var blobs = clients.blobs("/bench/blobs")) {
            Compared blocks = compare(blobs, 16 << 10);
            bars.atMost(
                    1.2,
                    "read of a random block of 16 KiB, p50",
                    "ms",
                    blocks.cleave,
                    new BookKeeperBars.Yardstick("plain client", blocks.plain));
            Compared small = compare(blobs, 4 << 10);
            bars.tell(
                    "read of a random block of 4 KiB, p50",
                    "ms",
                    small.cleave,
                    "plain client " + TableText.number(small.plain));
            scan(bars, blobs);
        }
    }

    private record Compared(double cleave, double plain) {}

    private interface Read {
        void block(int number) throws Exception;
    }

    @SuppressWarnings("try") // an interrupt ends the benchmark
    private Compared compare(BookKeeperBlobs blobs, int bytes) throws Exception {
        Written written = write(blobs, bytes);
        BlobReader blob = blobs.open(written.blobId);
        try (ReadHandle ledger = open(written.ledgerId)) {
            Read cleave = number -> blob.read((long) number * bytes, bytes);
            Read plain =
                    number -> {
                        try (var entries = ledger.read(number, number)) {
                            entries.getEntry(number).getEntryBytes();
                        }
                    };
            var ours = new Samples();
            var theirs = new Samples();
            var random = new Random(SEED);
            // The first reads tell about the compiler.
            for (int turn = 0; turn < 4; turn++) {
                measure(cleave, random, new Samples());
                measure(plain, random, new Samples());
            }
            long until = System.nanoTime() + time.toNanos();
            while (System.nanoTime() < until) {
                measure(cleave, random, ours);
                measure(plain, random, theirs);
            }
            return new Compared(
                    Samples.millisAt(List.of(ours), P50), Samples.millisAt(List.of(theirs), P50));
        }
    }

    private static void measure(Read read, Random random, Samples samples) throws Exception {
        for (int count = 0; count < A_TURN; count++) {
            int number = random.nextInt(BLOCKS);
            long from = System.nanoTime();
            read.block(number);
            samples.add(System.nanoTime() - from);
        }
    }

    /// The same blocks in a blob and in a ledger of their own.
    private record Written(long blobId, long ledgerId) {}

    /// In turns, so that bookies have the one in their memory as they have the other.
    @SuppressWarnings("try") // an interrupt ends the benchmark
    private Written write(BookKeeperBlobs blobs, int bytes) throws Exception {
        byte[] block = new byte[bytes];
        var random = new Random(SEED);
        try (BlobWriter blob = blobs.create();
                WriteHandle ledger = clients.newLedger()) {
            for (int number = 0; number < BLOCKS; number++) {
                random.nextBytes(block);
                blob.write(block);
                ledger.append(block);
            }
            blob.seal();
            return new Written(blob.id(), ledger.getId());
        }
    }

    private ReadHandle open(long ledgerId) throws Exception {
        return clients.bookKeeper()
                .newOpenLedgerOp()
                .withLedgerId(ledgerId)
                .withDigestType(DigestType.CRC32C)
                .withPassword(new byte[0])
                .execute()
                .get();
    }

    /// Without a bar: all blocks in order, as a scan of a table reads them.
    private void scan(BookKeeperBars bars, BookKeeperBlobs blobs) throws Exception {
        int bytes = 16 << 10;
        BlobReader blob = blobs.open(write(blobs, bytes).blobId);
        long from = System.nanoTime();
        for (int number = 0; number < BLOCKS; number++) {
            blob.read((long) number * bytes, bytes);
        }
        double seconds = (System.nanoTime() - from) / 1e9;
        double mebibytes = BLOCKS * (double) bytes / (1 << 20);
        bars.tell("scan of a blob by blocks of 16 KiB", "MiB/s", mebibytes / seconds, "");
    }
}
