package io.cleave.bench;

import io.cleave.blob.BlobReader;
import io.cleave.blob.BlobWriter;
import io.cleave.bookkeeper.BookKeeperBlobs;

import org.apache.bookkeeper.client.api.DigestType;
import org.apache.bookkeeper.client.api.ReadHandle;
import org.apache.bookkeeper.client.api.WriteHandle;

import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Random;

/// Random reads of blocks, one at a time: from a blob, and by the plain client from a ledger that
/// has each block as an entry. The blocks have 16 KiB each in the first run, and in the second run
/// the sizes of a table's compressed blocks.
final class BlockReads {
    private static final int BLOCKS = 4000;
    private static final int FULL_BYTES = 16 << 10;

    /// Reads of one kind before as many of the other kind follow.
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
            int[] full = equal(FULL_BYTES);
            compare(bars, blobs, "16 KiB", full);
            int[] compressed = TableBlocks.sizes(BLOCKS);
            long mean = Math.round(Arrays.stream(compressed).average().orElseThrow());
            compare(bars, blobs, "a table, %,d bytes compressed".formatted(mean), compressed);
            scan(bars, blobs);
        }
    }

    private static int[] equal(int bytes) {
        int[] sizes = new int[BLOCKS];
        Arrays.fill(sizes, bytes);
        return sizes;
    }

    private interface Read {
        void block(int number) throws Exception;
    }

    @SuppressWarnings("try") // an interrupt ends the benchmark
    private void compare(BookKeeperBars bars, BookKeeperBlobs blobs, String of, int[] sizes)
            throws Exception {
        Written written = write(blobs, sizes);
        BlobReader blob = blobs.open(written.blobId);
        long[] offsets = offsets(sizes);
        try (ReadHandle ledger = open(written.ledgerId)) {
            Read cleave = number -> blob.read(offsets[number], sizes[number]);
            Read plain =
                    number -> {
                        try (var entries = ledger.read(number, number)) {
                            entries.getEntry(number).getEntryBytes();
                        }
                    };
            var ours = new Samples();
            var theirs = new Samples();
            var random = new Random(SEED);
            // The first reads measure the compiler.
            for (int turn = 0; turn < 4; turn++) {
                measure(cleave, random, new Samples());
                measure(plain, random, new Samples());
            }
            long until = System.nanoTime() + time.toNanos();
            while (System.nanoTime() < until) {
                measure(cleave, random, ours);
                measure(plain, random, theirs);
            }
            bars.atMost(
                    1.2,
                    "read of a random block of " + of + ", p50",
                    "ms",
                    Samples.millisAt(List.of(ours), P50),
                    new BookKeeperBars.Yardstick(
                            "plain client", Samples.millisAt(List.of(theirs), P50)));
        }
    }

    private static long[] offsets(int[] sizes) {
        long[] offsets = new long[sizes.length];
        for (int number = 1; number < sizes.length; number++) {
            offsets[number] = offsets[number - 1] + sizes[number - 1];
        }
        return offsets;
    }

    private static void measure(Read read, Random random, Samples samples) throws Exception {
        for (int count = 0; count < A_TURN; count++) {
            int number = random.nextInt(BLOCKS);
            long from = System.nanoTime();
            read.block(number);
            samples.add(System.nanoTime() - from);
        }
    }

    /// The same blocks in a blob and in a ledger.
    private record Written(long blobId, long ledgerId) {}

    /// Alternates between both, so that bookies have equal parts of each in memory.
    @SuppressWarnings("try") // an interrupt ends the benchmark
    private Written write(BookKeeperBlobs blobs, int[] sizes) throws Exception {
        var random = new Random(SEED);
        try (BlobWriter blob = blobs.create();
                WriteHandle ledger = clients.newLedger()) {
            for (int bytes : sizes) {
                byte[] block = new byte[bytes];
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

    /// Without a bar: reads all blocks in order, as a table scan does.
    private void scan(BookKeeperBars bars, BookKeeperBlobs blobs) throws Exception {
        BlobReader blob = blobs.open(write(blobs, equal(FULL_BYTES)).blobId);
        long from = System.nanoTime();
        for (int number = 0; number < BLOCKS; number++) {
            blob.read((long) number * FULL_BYTES, FULL_BYTES);
        }
        double seconds = (System.nanoTime() - from) / 1e9;
        double mebibytes = BLOCKS * (double) FULL_BYTES / (1 << 20);
        bars.tell("scan of a blob by blocks of 16 KiB", "MiB/s", mebibytes / seconds, "");
    }
}
