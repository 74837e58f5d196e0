package io.cleave.log;

/// Decides how long a group waits for more records before it is written.
///
/// Callers that commit repeatedly append their next record right after a commit is done. Without
/// waiting, the callers of one group queue while the next group is synced, so two groups alternate,
/// each with half of the callers. A short wait for the callers that were just completed brings all
/// of them into one group, so that twice as many commits share a sync. A single caller never waits.
/// After a wait in vain, the next groups do not wait.
///
/// Threads: one at a time.
final class GroupDelay {
    /// A group waits for at most 1/2 of the duration of a sync.
    private static final int PART_OF_SYNC = 2;

    private static final long MOST_NANOS = 1_000_000;

    /// The number of groups that do not wait after a wait in vain.
    private static final int REST = 32;

    /// The number of active callers: the records of the last group, plus those queued meanwhile.
    private int expected;

    private long syncNanos;
    private int resting;

    /// Called after a group was synced; `queued` records are waiting already.
    void synced(int group, int queued, long nanos) {
        expected = group + queued;
        syncNanos = nanos;
        if (resting > 0) {
            resting--;
        }
    }

    /// The number of records to wait for, including those already queued.
    int expected() {
        return expected;
    }

    /// How long to wait if `queued` records are there; 0 means not at all.
    long nanos(int queued) {
        return resting > 0 || queued >= expected
                ? 0
                : Math.min(syncNanos / PART_OF_SYNC, MOST_NANOS);
    }

    /// Called after a wait, with the number of records before and after it.
    void waited(int before, int now) {
        if (now - before < (expected - before + 1) / 2) {
            resting = REST;
        }
    }
}
