package io.cleave.time;

import io.cleave.base.Check;

import java.util.Arrays;

/// The timestamps that are being read, with the number of readers of each.
///
/// Nearly every reader takes the newest timestamp and releases one of the newest. So they are kept
/// in order in an array and searched from its end. Invariant: the first and the last have readers;
/// one in between may have none until room is needed.
///
/// Threads: guarded by the owner's lock.
final class LiveSnapshots {
    private long[] moments = new long[16];
    private int[] readers = new int[16];
    private int from;
    private int to;

    boolean isEmpty() {
        return from == to;
    }

    long oldest() {
        Check.that(!isEmpty(), "no moment is being read");
        return moments[from];
    }

    /// `moment` must not be older than any that is being read.
    void take(long moment) {
        if (from < to && moments[to - 1] == moment) {
            readers[to - 1]++;
            return;
        }
        Check.that(from == to || moments[to - 1] < moment, "moments are taken in their order");
        if (to == moments.length) {
            makeRoom();
        }
        moments[to] = moment;
        readers[to] = 1;
        to++;
    }

    /// Returns false if nobody reads this moment.
    boolean release(long moment) {
        int at = to - 1;
        while (at >= from && moments[at] != moment) {
            at--;
        }
        if (at < from || readers[at] == 0) {
            return false;
        }
        readers[at]--;
        while (from < to && readers[to - 1] == 0) {
            to--;
        }
        while (from < to && readers[from] == 0) {
            from++;
        }
        if (from == to) {
            from = 0;
            to = 0;
        }
        return true;
    }

    /// Drops moments without readers. Doubles the arrays if more than half of them is still used.
    private void makeRoom() {
        int kept = 0;
        for (int at = from; at < to; at++) {
            if (readers[at] > 0) {
                moments[kept] = moments[at];
                readers[kept] = readers[at];
                kept++;
            }
        }
        from = 0;
        to = kept;
        if (kept > moments.length / 2) {
            moments = Arrays.copyOf(moments, 2 * moments.length);
            readers = Arrays.copyOf(readers, 2 * readers.length);
        }
    }
}
