package io.cleave.bookkeeper;

import static org.assertj.core.api.Assertions.assertThat;

import io.cleave.base.Bytes;

import org.junit.jupiter.api.Test;

class LedgerQueueTest {
    private static final long FIRST = 25;
    private static final int RECORD_BYTES = 1 << 20;

    private static LedgerQueue queue(int records) {
        var queue = new LedgerQueue(FIRST, Long.MAX_VALUE);
        for (int record = 0; record < records; record++) {
            queue.add(Bytes.wrap(new byte[RECORD_BYTES]), (_, _) -> {}, 0);
        }
        return queue;
    }

    /// A writer that was fenced while it went on to another ledger began it behind the records that
    /// it had dropped. The log could not be read past that gap.
    @Test
    void recordsThatAreDroppedLeaveNoGap() {
        LedgerQueue queue = queue(8);
        long sentEnd = queue.take().end();
        assertThat(queue.hasWaiting()).isTrue();

        queue.dropWaiting();

        assertThat(queue.nextSent()).isEqualTo(sentEnd);
        assertThat(queue.nextPosition()).isEqualTo(sentEnd);
    }
}
