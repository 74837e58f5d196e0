package io.cleave.query;

import io.cleave.base.Env;
import io.cleave.testkit.TestStore;

/// A front door over a store in memory.
public final class MemoryDatabase implements AutoCloseable {
    private final TestStore store = new TestStore();
    private final Database database = Databases.withBuilds(store);

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
