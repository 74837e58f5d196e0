package io.cleave.sim.workload;

import java.util.List;
import java.util.random.RandomGenerator;

/// Something that several clients do again and again to tables of its own, and what must hold of
/// what they see. A violation is an `AssertionError`, thrown where it is found.
///
/// Threads: [#step] from any number, each with a client and chance of its own.
public interface Workload {
    /// The tables that it works on, and that may be cut up meanwhile.
    List<String> tables();

    /// All its keys are below this one, and not negative.
    long keyBound();

    /// Makes the tables and what is in them at first. Nothing fails meanwhile.
    void setUp(Client client);

    void step(Client client, RandomGenerator random);

    /// Looks at everything once all has calmed down.
    void finish(Client client);
}
