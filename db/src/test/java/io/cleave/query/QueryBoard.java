package io.cleave.query;

import io.cleave.schema.TableDefinition.TypedValue;
import io.cleave.testkit.TestStore;
import io.cleave.value.Value;

import java.util.List;

/// Runs texts over a [TestStore], each in a transaction of its own.
public final class QueryBoard {
    private final TestStore store;
    private final Database database;

    public QueryBoard(TestStore store) {
        this.store = store;
        database = Databases.withBuilds(store);
    }

    /// After a restart of the store.
    public QueryBoard restarted() {
        store.restart();
        return new QueryBoard(store);
    }

    public Database database() {
        return database;
    }

    /// Runs a text and returns the rows of all its results.
    public List<List<Value>> run(String text) {
        return Texts.run(database, store.env(), text);
    }

    public void bulkUpsert(String path, TypedValue rows) {
        database.rows().bulkUpsert(path, rows);
    }

    /// The only value of the only row.
    public long number(String text) {
        return ((Value.Int) run(text).getFirst().getFirst()).value();
    }
}
