package io.cleave.bookkeeper;

import io.cleave.base.Bytes;
import io.cleave.log.Completion;
import io.cleave.log.LogException;
import io.netty.buffer.ByteBuf;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.List;

/// Records that go into one entry, with their completions; or one large record that takes several
/// entries. Threads: one at a time.
final class LedgerBatch {
    private final long first;
    private final long sinceNanos;
    private final List<Bytes> records = new ArrayList<>();
    private final List<Completion> completions = new ArrayList<>();
    private int entryBytes = LedgerRecords.HEADER_BYTES;
    private long bytes;

    LedgerBatch(long first, long sinceNanos) {
        this.first = first;
        this.sinceNanos = sinceNanos;
    }

    boolean hasRoomFor(Bytes record) {
        return records.isEmpty()
                || entryBytes + LedgerRecords.bytesOf(record) <= LedgerRecords.MAX_ENTRY_BYTES;
    }

    void add(Bytes record, Completion completion) {
        records.add(record);
        completions.add(completion);
        entryBytes += LedgerRecords.bytesOf(record);
        bytes += record.length();
    }

    /// The position of its first record.
    long first() {
        return first;
    }

    /// When its first record was appended.
    long sinceNanos() {
        return sinceNanos;
    }

    long end() {
        return first + records.size();
    }

    /// The size of its records.
    long bytes() {
        return bytes;
    }

    int entryCount() {
        return isLarge() ? LedgerRecords.partsOf(records.getFirst()) : 1;
    }

    ByteBuf encode(long epoch, int entry) {
        return isLarge()
                ? LedgerRecords.encodePart(epoch, first, records.getFirst(), entry)
                : LedgerRecords.encode(epoch, first, records);
    }

    private boolean isLarge() {
        return records.size() == 1 && LedgerRecords.isLarge(records.getFirst());
    }

    /// Reports to all completions that their records are durable, even if one of them throws.
    /// Returns the first exception.
    @Nullable Throwable acknowledge() {
        Throwable thrown = null;
        for (int index = 0; index < completions.size(); index++) {
            try {
                completions.get(index).completed(first + index, null);
            } catch (RuntimeException | Error e) {
                thrown = thrown == null ? e : thrown;
            }
        }
        return thrown;
    }

    /// Reports the failure to all completions. Exceptions that they throw have no further effect.
    void refuse(LogException failure) {
        for (int index = 0; index < completions.size(); index++) {
            try {
                completions.get(index).completed(first + index, failure);
            } catch (RuntimeException e) {
                failure.addSuppressed(e);
            }
        }
    }
}
