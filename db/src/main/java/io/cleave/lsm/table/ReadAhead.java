package io.cleave.lsm.table;

/// Prefetches the blocks of one run of a table before a cursor reads them.
///
/// The first block of a cursor is fetched alone. Two adjacent blocks in a row make it a scan,
/// forward or backward. A scan fetches a window of blocks at once: 64 KiB first, and twice as much
/// each time, up to 512 KiB. The next window is requested in the middle of the previous one, so a
/// scan does not wait if the disk keeps up. Blocks that are in memory are not fetched. Threads: one
/// at a time.
final class ReadAhead {
    /// At most this much is fetched in vain when a short scan ends.
    static final int FIRST_BYTES = 64 << 10;

    /// Linux fetches no more for one hint than the disk accepts in one request.
    static final int MOST_BYTES = 512 << 10;

    private static final int NONE = Integer.MIN_VALUE / 2;

    private final TableReader table;
    private final int run;
    private int last = NONE;

    /// 1 forward, -1 backward, 0 if this is not a scan.
    private int step;

    /// The first block, in the direction of the scan, that was not requested yet.
    private int edge;

    /// The block at which the next window is requested.
    private int askAt;

    private int windowBytes;

    ReadAhead(TableReader table, int run) {
        this.table = table;
        this.run = run;
    }

    /// Called when the cursor opens a block.
    void open(int number, boolean inMemory) {
        int direction = number - last;
        last = number;
        if (step == 0 || direction != step) {
            step = direction == 1 || direction == -1 ? direction : 0;
            edge = number;
            askAt = NONE;
            windowBytes = 0;
        }
        if (step == 0) {
            if (!inMemory) {
                table.willRead(run, number, number + 1);
            }
            return;
        }
        boolean asked = (number - edge) * step < 0;
        if (asked ? number == askAt : !inMemory) {
            ask(asked ? edge : number);
        }
    }

    private void ask(int from) {
        windowBytes = Math.clamp(2L * windowBytes, FIRST_BYTES, MOST_BYTES);
        int to = from;
        int bytes = 0;
        while (bytes < windowBytes && to >= 0 && to < table.blockCount(run)) {
            bytes += table.blockBytes(run, to);
            to += step;
        }
        if (step > 0) {
            table.willRead(run, from, to);
        } else {
            table.willRead(run, to + 1, from + 1);
        }
        askAt = from + (to - from) / 2;
        edge = to;
    }
}
