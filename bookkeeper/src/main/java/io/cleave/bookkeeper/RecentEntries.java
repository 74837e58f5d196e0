package io.cleave.bookkeeper;

import org.jspecify.annotations.Nullable;

import java.util.concurrent.atomic.AtomicReferenceArray;

/// The last entries that the tail of a log has come by, so that whoever reads along does not ask a
/// bookie for them once more. Only small ones are kept: of large ones little is gained.
///
/// Threads: any.
final class RecentEntries {
    /// With [#MOST_RECORD_BYTES], 1 MiB at the most.
    static final int MOST_ENTRIES = 64;

    private static final long MOST_RECORD_BYTES = 16 << 10;

    private record Entry(long ledgerId, long entryId, LedgerRecords records) {}

    /// Each at its number modulo the length.
    private final AtomicReferenceArray<@Nullable Entry> entries =
            new AtomicReferenceArray<>(MOST_ENTRIES);

    /// The entry is confirmed: it never changes.
    void add(long ledgerId, long entryId, LedgerRecords records) {
        long bytes = records.records().stream().mapToLong(record -> record.length()).sum();
        if (bytes <= MOST_RECORD_BYTES) {
            entries.set(index(entryId), new Entry(ledgerId, entryId, records));
        }
    }

    /// Null if it is not kept.
    @Nullable LedgerRecords find(long ledgerId, long entryId) {
        Entry found = entries.get(index(entryId));
        return found != null && found.ledgerId == ledgerId && found.entryId == entryId
                ? found.records
                : null;
    }

    private static int index(long entryId) {
        return (int) (entryId % MOST_ENTRIES);
    }
}
