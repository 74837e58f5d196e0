package io.cleave.sim;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class SimTest {
    private static final long SEED = Long.getLong("seed", System.nanoTime() & 0xFFFF_FFFFL);
    private static final int SEEDS = Integer.getInteger("seeds", 20);

    @Test
    void nothingIsWrongWhileEverythingGoesWrong() {
        var totals = new Totals();
        int count = System.getProperty("seed") == null ? SEEDS : 1;
        for (long seed = SEED; seed < SEED + count; seed++) {
            totals.add(new Simulation(seed).run());
        }
        System.out.println(totals);
    }

    @Test
    void oneSeedIsOneRun() {
        var first = new Simulation(SEED);
        var second = new Simulation(SEED);
        String found = first.run().toString();
        assertThat(second.run().toString()).as("-Dseed=%d", SEED).isEqualTo(found);
        assertThat(second.digest()).as("-Dseed=%d", SEED).isEqualTo(first.digest());
    }
}
