package io.cleave.query;

import io.cleave.base.Env;
import io.cleave.testkit.TestStore;

import java.util.Optional;

/// A front door over a store in memory.
public final class MemoryDatabase implements AutoCloseable {
    private final TestStore store = new TestStore();
    private final Database database =
            new Database(
                    store.env(),
                    store.tree(),
                    store.transactions(),
                    1,
                    Optional.empty(),
                    Optional.of(store.builds()));

    public Env env() {
        return store.env();
    }

    public Database database() {
        return database;
    }

    @Override
    public void close() {
        store.close();
    }
}
