package io.cleave.query;

import io.cleave.plan.Program.ResultShape;
import io.cleave.testkit.TestStore;
import io.cleave.value.Value;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// Runs texts over a [TestStore], each in a transaction of its own.
public final class QueryBoard {
    private final TestStore store;
    private final Database database;

    public QueryBoard(TestStore store) {
        this.store = store;
        database =
                new Database(
                        store.env(),
                        store.cluster(),
                        store.transactions(),
                        1,
                        Optional.empty(),
                        Optional.of(store.builds()));
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
        List<List<Value>> rows = new ArrayList<>();
        database.runAlone(
                QueryText.ofQueryService(text, Map.of()),
                new QueryRun(
                        TxControl.IMPLICIT,
                        Map.of(),
                        ResultLimits.NONE,
                        Cancellation.byDefault(store.env())),
                new Results() {
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
                });
        return rows;
    }

    /// The only value of the only row.
    public long number(String text) {
        return ((Value.Int) run(text).getFirst().getFirst()).value();
    }
}
