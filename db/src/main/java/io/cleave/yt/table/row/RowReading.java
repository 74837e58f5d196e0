package io.cleave.yt.table.row;

import io.cleave.base.Bytes;
import io.cleave.memory.MemoryPool;
import io.cleave.txn.Transaction;
import io.cleave.value.Value;
import io.cleave.yt.command.CommandCall;

import org.jspecify.annotations.Nullable;

import java.util.List;

/// Answers a lookup of many keys, one row after the other. Rows may be large, and the keys of a
/// small request may all name the same large row. The values of a row are counted here. The form of
/// the row in the answer is counted where it is written.
///
/// Threads: one.
final class RowReading {
    private final MemoryPool results;
    private final CommandCall call;
    private final RowLookup lookup;
    private final boolean keepsMissing;

    RowReading(MemoryPool results, CommandCall call, RowLookup lookup, boolean keepsMissing) {
        this.results = results;
        this.call = call;
        this.lookup = lookup;
        this.keepsMissing = keepsMissing;
    }

    void run(Transaction transaction, List<Bytes> keys) {
        try (RowMemory memory = new RowMemory(results, "The lookup")) {
            var answer = new LookupAnswer(call, lookup.names(), keepsMissing);
            long takenBytes = 0;
            for (Bytes key : keys) {
                call.cancellation().check();
                Value @Nullable [] row = transaction.get(key, lookup.columns());
                long bytes = row == null ? 0 : bytes(row);
                if (bytes > takenBytes + RowMemory.STEP_BYTES) {
                    // The memory is kept until the end, because later rows may be as large.
                    memory.await(bytes - takenBytes, call.cancellation());
                    takenBytes = bytes;
                }
                if (row == null) {
                    answer.missing();
                } else {
                    lookup.write(answer.rows(), row);
                }
            }
            answer.end();
        }
    }

    private static long bytes(Value[] row) {
        long bytes = 0;
        for (Value value : row) {
            bytes += RowMemory.bytes(value);
        }
        return bytes;
    }
}
