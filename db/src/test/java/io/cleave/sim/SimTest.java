package io.cleave.sim;

import static org.assertj.core.api.Assertions.assertThat;

import io.cleave.sim.Simulation.Bug;

import org.junit.jupiter.api.Test;

/// Whole servers from many seeds. `-Dseed` runs one again, `-Dseeds` so many; for long runs `mvn
/// -Psim -Dseeds=10000`.
class SimTest {
    private static final int SEEDS = Integer.getInteger("seeds", 80);
    private static final boolean REPLAYS = System.getProperty("seed") != null;
    private static final long SEED = Long.getLong("seed", System.nanoTime() & 0xFFFF_FFFFL);

    @Test
    void nothingIsWrongWhileEverythingGoesWrong() throws InterruptedException {
        var seeds = new Seeds(SEED, REPLAYS ? 1 : SEEDS);
        seeds.run();
        System.out.println(seeds.summary());
        assertThat(seeds.failures()).as("%s", seeds.summary()).isEmpty();
        assertThat(seeds.runs()).isEqualTo(REPLAYS ? 1 : SEEDS);
    }

    @Test
    void oneSeedIsOneRun() {
        var first = new Simulation(SEED, Bug.NONE);
        var second = new Simulation(SEED, Bug.NONE);
        String found = first.run().toString();
        assertThat(second.run().toString()).as("-Dseed=%d", SEED).isEqualTo(found);
        assertThat(second.digest()).as("-Dseed=%d", SEED).isEqualTo(first.digest());
    }
}
