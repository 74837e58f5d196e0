package io.cleave.query;

import io.cleave.base.Status;
import io.cleave.base.StatusException;
import io.cleave.plan.Program.ResultShape;
import io.cleave.testkit.TestStore;
import io.cleave.value.Value;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/// A database over a [TestStore], and a short way to run texts in it.
final class TestDatabase implements AutoCloseable {
    final TestStore store;
    private Database database;

    TestDatabase() {
        this(new TestStore(2));
    }

    TestDatabase(TestStore store) {
        this.store = store;
        database = open();
    }

    private Database open() {
        return Databases.withBuilds(store);
    }

    Database database() {
        return database;
    }

    /// What a new process finds.
    void restart() {
        store.restart();
        database = open();
    }

    /// The rows of a text that is run outside every session.
    List<List<Value>> run(String text) {
        var rows = new Collected();
        Texts.runAlone(database, QueryText.ofQueryService(text, Map.of()), newRun(), rows);
        return rows.rows;
    }

    /// What is said of a text that is run outside every session.
    RunSummary summary(String text) {
        return Texts.runAlone(
                database, QueryText.ofQueryService(text, Map.of()), newRun(), new Collected());
    }

    List<List<Value>> run(Session session, String text) {
        var rows = new Collected();
        database.run(session, QueryText.ofQueryService(text, Map.of()), newRun(), rows);
        return rows.rows;
    }

    /// How a text that is refused is refused; SUCCESS if it is not.
    Status refusal(String text) {
        return status(() -> run(text));
    }

    Status refusal(Session session, String text) {
        return status(() -> run(session, text));
    }

    static Status status(Runnable body) {
        try {
            body.run();
            return Status.SUCCESS;
        } catch (StatusException e) {
            return e.status();
        }
    }

    QueryRun newRun() {
        return new QueryRun(
                TxControl.IMPLICIT,
                Map.of(),
                ResultLimits.NONE,
                Cancellation.byDefault(store.env()));
    }

    @Override
    public void close() {
        store.close();
    }

    static final class Collected implements Results {
        private final List<List<Value>> rows = new ArrayList<>();

        List<List<Value>> rows() {
            return rows;
        }

        @Override
        public void transaction(String txId) {}

        @Override
        public void begin(int resultIndex, ResultShape shape) {}

        @Override
        public void row(int resultIndex, Value[] row) {
            rows.add(List.of(row));
        }

        @Override
        public void end(int resultIndex, boolean truncated) {}
    }
}
