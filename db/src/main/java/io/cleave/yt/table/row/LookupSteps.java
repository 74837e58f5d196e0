package io.cleave.yt.table.row;

import io.cleave.base.Bytes;
import io.cleave.memory.MemoryPool;
import io.cleave.txn.Transaction;
import io.cleave.value.Value;
import io.cleave.yt.command.CommandCall;
import io.cleave.yt.format.RowOutput;

import org.jspecify.annotations.Nullable;

import java.util.List;

/// Answers a lookup of many keys in steps: the rows of a step are in memory together. The size of a
/// step follows from the size of the rows of the step before.
///
/// Threads: one.
final class LookupSteps {
    private static final int FIRST_KEYS = 128;

    /// The number of keys of a step, compared with the step before: later rows may be larger.
    private static final int GROWTH = 8;

    private static final int MOST_KEYS = 10_000;

    /// The size of the rows of one step, if they are like those before.
    private static final long STEP_BYTES = 8L << 20;

    private final MemoryPool results;
    private final CommandCall call;
    private final RowLookup lookup;
    private final boolean keepsMissing;

    LookupSteps(MemoryPool results, CommandCall call, RowLookup lookup, boolean keepsMissing) {
        this.results = results;
        this.call = call;
        this.lookup = lookup;
        this.keepsMissing = keepsMissing;
    }

    void run(Transaction transaction, List<Bytes> keys) {
        RowOutput out = null;
        int count = FIRST_KEYS;
        long rowBytes = 0;
        for (int from = 0; from == 0 || from < keys.size(); ) {
            int to = Math.min(keys.size(), from + count);
            call.cancellation().check();
            try (RowMemory memory = new RowMemory(results, "the rows of a lookup")) {
                memory.await(rowBytes * (to - from), call.cancellation());
                Value[] @Nullable [] rows = read(transaction, keys.subList(from, to));
                rowBytes = bytes(rows) / Math.max(1, rows.length);
                if (out == null) {
                    // Not before the first rows, so that a failure is an answer of its own.
                    out = call.outputRows();
                    out.columns(lookup.names());
                }
                write(out, rows);
            }
            from = Math.max(to, 1);
            count = next(count, rowBytes);
        }
    }

    private static int next(int count, long rowBytes) {
        long most = STEP_BYTES / Math.max(1, rowBytes);
        return Math.clamp(Math.min(most, (long) GROWTH * count), 1, MOST_KEYS);
    }

    private Value[] @Nullable [] read(Transaction transaction, List<Bytes> keys) {
        KeyOrder order = KeyOrder.of(keys);
        return order.asAsked(transaction.getAll(order.keys(), lookup.columns()));
    }

    private static long bytes(Value[] @Nullable [] rows) {
        long bytes = 0;
        for (Value[] row : rows) {
            if (row != null) {
                for (Value value : row) {
                    bytes += RowMemory.bytes(value);
                }
            }
        }
        return bytes;
    }

    private void write(RowOutput out, Value[] @Nullable [] rows) {
        for (Value[] row : rows) {
            if (row != null) {
                lookup.write(out, row);
            } else if (keepsMissing) {
                out.missingRow();
            }
        }
    }
}
