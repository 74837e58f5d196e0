package io.cleave.log;

/// How long a group waits for more before it goes to the disk.
///
/// Writers who commit one after the other come back right after their commit is done. Without
/// waiting, those of one group queue while the next is being synced, so there are two groups that
/// take turns, each with half of the writers. Waiting a moment for those who were just told brings
/// all into one group, and twice as many commits share a sync. A writer that is alone never waits,
/// and if nobody came the last time, nobody waits for a while.
///
/// Threads: one at a time.
final class Patience {
    /// A wait is worth this part of a sync.
    private static final int PART_OF_SYNC = 2;

    private static final long MOST_NANOS = 1_000_000;

    /// Groups that do not wait after a wait in vain.
    private static final int REST = 32;

    /// Who commits at present: the last group, and those who queued meanwhile.
    private int expected;

    private long syncNanos;
    private int resting;

    /// A group was synced, and `queued` records wait already.
    void synced(int group, int queued, long nanos) {
        expected = group + queued;
        syncNanos = nanos;
        if (resting > 0) {
            resting--;
        }
    }

    /// How many records are worth waiting for; what is there already counts.
    int expected() {
        return expected;
    }

    /// How long to wait when so many are there; 0 is not at all.
    long nanos(int queued) {
        return resting > 0 || queued >= expected
                ? 0
                : Math.min(syncNanos / PART_OF_SYNC, MOST_NANOS);
    }

    /// After a wait: so many were there before it, and are there now.
    void waited(int before, int now) {
        if (now - before < (expected - before + 1) / 2) {
            resting = REST;
        }
    }
}
