package io.cleave.query;

import io.cleave.base.Env;
import io.cleave.memory.MemoryBudget;
import io.cleave.testkit.TestStore;

import java.util.Optional;

/// Databases over a [TestStore].
public final class Databases {
    private static final long HEAP_BYTES = 2L << 30;

    private Databases() {}

    /// Queries only: no index builds, no TTL, no partitioner, no folder for spilled rows.
    public static Database of(TestStore store) {
        return of(store, BackgroundWork.NONE);
    }

    /// Builds indexes, too.
    public static Database withBuilds(TestStore store) {
        return of(
                store,
                new BackgroundWork(
                        Optional.of(store.builds()), Optional.empty(), Optional.empty()));
    }

    public static Database of(TestStore store, BackgroundWork background) {
        return of(store, store.env(), 1, background);
    }

    /// With an environment and a node id of its own.
    static Database of(TestStore store, Env env, int nodeId) {
        return of(store, env, nodeId, BackgroundWork.NONE);
    }

    private static Database of(TestStore store, Env env, int nodeId, BackgroundWork background) {
        return new Database(
                env,
                nodeId,
                store.cluster(),
                store.transactions(),
                new MemoryBudget(HEAP_BYTES, env),
                Optional.empty(),
                background);
    }
}
