package io.cleave.lsm;

/// Has the blocks of one run of a table fetched before a cursor comes to them.
///
/// A cursor that opens one block needs no more than that block. From the second block in a row on
/// it is a scan, forward or backward, and a window of blocks is asked for at once: 64 KiB first,
/// and twice as much each time, up to 512 KiB. The next window is asked for in the middle of the
/// one before, so a scan does not wait for the disk where the disk keeps up. Blocks that are in
/// memory are not asked for. Threads: one at a time.
final class ReadAhead {
    /// So much can be in vain when a short scan ends.
    static final int FIRST_BYTES = 64 << 10;

    /// Linux fetches no more for one hint than a disk takes in one request.
    static final int MOST_BYTES = 512 << 10;

    private static final int NONE = Integer.MIN_VALUE / 2;

    private final TableReader table;
    private final int run;
    private int last = NONE;

    /// 1 forward, -1 backward, 0 if it is no scan.
    private int step;

    /// In the direction of the scan, the first block that was not asked for yet.
    private int edge;

    /// At this block the next window is asked for.
    private int askAt;

    private int windowBytes;

    ReadAhead(TableReader table, int run) {
        this.table = table;
        this.run = run;
    }

    /// The cursor opens a block.
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
