package io.cleave.lsm.table;

import io.cleave.base.CorruptionException;
import io.cleave.blob.BlobReader;

import org.jspecify.annotations.Nullable;

import java.util.zip.CRC32;

/// Reads a whole blob of a table and compares its checksum with that of its identity.
final class WholeCheck {
    private static final int PIECE_BYTES = 256 << 10;

    private WholeCheck() {}

    /// Does nothing for a file of format 1: it has no identity, and its blocks have their own
    /// checksums.
    static void run(BlobReader blob, @Nullable TableIdentity identity) {
        if (identity == null) {
            return;
        }
        var checksum = new CRC32();
        long to = blob.size() - Footer.BYTES;
        for (long from = 0; from < to; from += PIECE_BYTES) {
            blob.willRead(from, 2L * PIECE_BYTES);
            checksum.update(blob.read(from, (int) Math.min(PIECE_BYTES, to - from)));
        }
        if ((int) checksum.getValue() != identity.checksum()) {
            throw new CorruptionException(
                    blob.name(),
                    0,
                    "the checksum of the whole file differs from the one in its footer");
        }
    }
}
