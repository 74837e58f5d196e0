package io.cleave.bookkeeper;

import org.jspecify.annotations.Nullable;

import java.util.concurrent.atomic.AtomicReferenceArray;

/// The last entries that the tail of a log has read, so that readers at the end of the log need not
/// ask a bookie for them again. Only small entries are kept, because keeping large ones gains
/// little.
///
/// Threads: any.
final class RecentEntries {
    /// With [#MOST_RECORD_BYTES] each, at most 1 MiB.
    static final int MOST_ENTRIES = 64;

    private static final long MOST_RECORD_BYTES = 16 << 10;

    private record Entry(long ledgerId, long entryId, LedgerRecords records) {}

    /// Each entry is at its id modulo the length.
    private final AtomicReferenceArray<@Nullable Entry> entries =
            new AtomicReferenceArray<>(MOST_ENTRIES);

    /// The entry must be confirmed, so that it never changes.
    void add(long ledgerId, long entryId, LedgerRecords records) {
        long bytes = records.records().stream().mapToLong(record -> record.length()).sum();
        if (bytes <= MOST_RECORD_BYTES) {
            entries.set(index(entryId), new Entry(ledgerId, entryId, records));
        }
    }

    /// Null if the entry is not kept.
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
