package io.cleave.sim;

import static org.assertj.core.api.Assertions.assertThat;

import io.cleave.sim.Simulation.Bug;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// What a simulation is worth: bugs that are put into the server or the disk are found soon.
class PlantedBugsTest {
    private static final int SEEDS = 40;

    @ParameterizedTest
    @EnumSource(value = Bug.class, mode = EnumSource.Mode.EXCLUDE, names = "NONE")
    void aPlantedBugIsFound(Bug bug) {
        boolean found = false;
        for (long seed = 0; !found && seed < SEEDS; seed++) {
            found = isFound(bug, seed);
        }
        assertThat(found).as("%s in %d runs", bug, SEEDS).isTrue();
    }

    private static boolean isFound(Bug bug, long seed) {
        try {
            new Simulation(seed, bug).run();
            return false;
        } catch (AssertionError e) {
            System.out.println(bug + ": " + e.getMessage());
            return true;
        }
    }
}
