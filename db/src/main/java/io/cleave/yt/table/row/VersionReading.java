package io.cleave.yt.table.row;

import io.cleave.base.Bytes;
import io.cleave.memory.MemoryPool;
import io.cleave.schema.RowVersion;
import io.cleave.schema.VersionLimits;
import io.cleave.txn.Transaction;
import io.cleave.yt.command.CommandCall;
import io.cleave.yt.error.YtCodes;
import io.cleave.yt.error.YtException;

import java.util.List;

/// Answers a versioned lookup. All versions of one row are in memory at the same time.
///
/// Threads: one.
final class VersionReading {
    /// The maximum number of versions of a row in an answer.
    private static final int MOST_VERSIONS = 65_535;

    /// The maximum size of the versions of a row. A larger row is refused.
    private static final long MOST_BYTES = 64L << 20;

    /// A row may take at most the memory for results divided by this number.
    private static final int SHARE = 8;

    /// The number of copies of a version in memory: one as values, and one in the form of the
    /// answer.
    private static final int COPIES = 2;

    private final MemoryPool results;
    private final CommandCall call;
    private final VersionLookup lookup;
    private final boolean keepsMissing;
    private final VersionLimits limits;

    VersionReading(
            MemoryPool results, CommandCall call, VersionLookup lookup, boolean keepsMissing) {
        this.results = results;
        this.call = call;
        this.lookup = lookup;
        this.keepsMissing = keepsMissing;
        limits =
                new VersionLimits(
                        MOST_VERSIONS, Math.min(MOST_BYTES, results.limitBytes() / SHARE));
    }

    void run(Transaction transaction, List<Bytes> keys) {
        try (RowMemory memory = new RowMemory(results, "The versioned lookup")) {
            memory.await(COPIES * limits.bytes(), call.cancellation());
            var answer = new LookupAnswer(call, lookup.names(), keepsMissing);
            for (Bytes key : keys) {
                call.cancellation().check();
                List<RowVersion> versions = versions(transaction, key);
                if (versions.isEmpty()) {
                    answer.missing();
                } else {
                    lookup.write(answer.rows(), key, versions);
                }
            }
            answer.end();
        }
    }

    private List<RowVersion> versions(Transaction transaction, Bytes key) {
        List<RowVersion> versions = transaction.versions(key, lookup.columns(), limits);
        long bytes = versions.stream().mapToLong(RowVersion::bytes).sum();
        if (bytes > limits.bytes()) {
            throw new YtException(
                    YtCodes.GENERIC,
                    ("The versions of row %s take more than %d bytes; ask for fewer columns with"
                                    + " \"column_names\"")
                            .formatted(lookup.shown(key).print(), limits.bytes()));
        }
        return versions;
    }
}
