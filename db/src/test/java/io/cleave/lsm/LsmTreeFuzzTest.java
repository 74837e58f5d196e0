package io.cleave.lsm;

import org.junit.jupiter.api.Test;

/// Trees under everything that can happen to them, against [LsmModel].
///
/// `-Dops=` says how many operations there are in all, in rounds of [#ROUND_OPERATIONS]; each round
/// has the next seed after `-Dseed=`.
class LsmTreeFuzzTest {
    private static final int ROUND_OPERATIONS = 3000;

    @Test
    void aTreeReadsAsItsModelDoes() {
        long firstSeed = Long.getLong("seed", 1L);
        long operations = Long.getLong("ops", Long.getLong("seed") == null ? 30_000 : 1);
        for (long done = 0; done < operations; done += ROUND_OPERATIONS) {
            run(firstSeed + done / ROUND_OPERATIONS);
        }
    }

    private static void run(long seed) {
        try {
            new LsmModelRound(seed).run(ROUND_OPERATIONS);
        } catch (RuntimeException | AssertionError e) {
            throw new AssertionError("to repeat: -Dseed=" + seed, e);
        }
    }
}
