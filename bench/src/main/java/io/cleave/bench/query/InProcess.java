package io.cleave.bench.query;

import io.cleave.access.Caller;
import io.cleave.base.Env;
import io.cleave.base.SystemEnv;
import io.cleave.bench.Folders;
import io.cleave.bench.Load;
import io.cleave.node.Node;
import io.cleave.node.NodeOptions;
import io.cleave.plan.Program.ResultShape;
import io.cleave.query.Cancellation;
import io.cleave.query.Database;
import io.cleave.query.PreparedText;
import io.cleave.query.QueryRun;
import io.cleave.query.QueryText;
import io.cleave.query.ResultLimits;
import io.cleave.query.Results;
import io.cleave.query.Session;
import io.cleave.query.TxControl;
import io.cleave.schema.TableDefinition.TypedValue;
import io.cleave.txn.Isolation;
import io.cleave.value.Type;
import io.cleave.value.Value;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.random.RandomGenerator;

/// Cleave inside this process, on its own folder and without a network: texts and values in, rows
/// out. Every commit is synced.
final class InProcess implements AutoCloseable {
    private static final String CREATE =
            "CREATE TABLE items (id Int64 NOT NULL, text Utf8, PRIMARY KEY (id))";
    private static final QueryText SELECT =
            QueryText.ofQueryService(
                    "SELECT text FROM items WHERE id = $id", Map.of("$id", Type.Primitive.INT64));
    private static final QueryText UPSERT =
            QueryText.ofQueryService(
                    "UPSERT INTO items (id, text) VALUES ($id, $text)",
                    Map.of("$id", Type.Primitive.INT64, "$text", Type.Primitive.UTF8));

    private static final int LOADERS = 64;

    private final Env env = new SystemEnv();
    private final Path data;
    private final Node node;
    private final Database database;
    private final PreparedText select;
    private final PreparedText upsert;

    InProcess() throws Exception {
        data = Files.createTempDirectory("cleave-bench");
        node = Node.start(NodeOptions.inFolder(data));
        database = node.frontDoor();
        run(
                database.prepare(QueryText.ofQueryService(CREATE, Map.of())),
                TxControl.IMPLICIT,
                Map.of());
        select = database.prepare(SELECT);
        upsert = database.prepare(UPSERT);
    }

    Database database() {
        return database;
    }

    Load.Client reader(int items) {
        return new Client() {
            @Override
            public void ask(RandomGenerator random) {
                var control = TxControl.auto(Isolation.SERIALIZABLE);
                if (run(session, select, control, Map.of("$id", id(random.nextInt(items)))) != 1) {
                    throw new IllegalStateException("a row is not there");
                }
            }
        };
    }

    Load.Client writer(int items) {
        return new Client() {
            @Override
            public void ask(RandomGenerator random) {
                upsert(session, random.nextInt(items));
            }
        };
    }

    /// Loads the rows 0 to `items` with many writers at a time. Each commit is synced; writers
    /// share syncs.
    void load(int items) throws InterruptedException, ExecutionException {
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            List<Future<?>> running = new ArrayList<>();
            for (int writer = 0; writer < LOADERS; writer++) {
                int first = writer;
                running.add(threads.submit(() -> loadEvery(first, items)));
            }
            for (Future<?> each : running) {
                each.get();
            }
        }
    }

    private void loadEvery(int first, int items) {
        Session session = database.as(Caller.IN_PROCESS).openSession();
        for (int id = first; id < items; id += LOADERS) {
            upsert(session, id);
        }
        database.as(Caller.IN_PROCESS).closeSession(session.id());
    }

    private void upsert(Session session, long id) {
        var text = new TypedValue(Type.Primitive.UTF8, Value.text(Items.TEXT));
        run(
                session,
                upsert,
                TxControl.auto(Isolation.SERIALIZABLE),
                Map.of("$id", id(id), "$text", text));
    }

    private static TypedValue id(long id) {
        return new TypedValue(Type.Primitive.INT64, Value.of(id));
    }

    private void run(PreparedText text, TxControl control, Map<String, TypedValue> parameters) {
        Session session = database.as(Caller.IN_PROCESS).openSession();
        run(session, text, control, parameters);
        database.as(Caller.IN_PROCESS).closeSession(session.id());
    }

    /// Returns the number of rows with the expected text.
    private int run(
            Session session,
            PreparedText text,
            TxControl control,
            Map<String, TypedValue> parameters) {
        var run = new QueryRun(control, parameters, ResultLimits.NONE, Cancellation.byDefault(env));
        var counter = new Counter();
        var _ = database.run(session, text, run, counter);
        return counter.rows;
    }

    @Override
    public void close() throws IOException {
        node.close();
        Folders.delete(data);
    }

    private abstract class Client implements Load.Client {
        final Session session = database.as(Caller.IN_PROCESS).openSession();

        @Override
        public void close() {
            database.as(Caller.IN_PROCESS).closeSession(session.id());
        }
    }

    private static final class Counter implements Results {
        private int rows;

        @Override
        public void transaction(String txId) {}

        @Override
        public void begin(int resultIndex, ResultShape shape) {}

        @Override
        public void row(int resultIndex, Value[] row) {
            rows += row[0] instanceof Value.Text(String text) && hasLength(text) ? 1 : 0;
        }

        /// Checks as much of a row as the clients of the other systems do.
        private static boolean hasLength(String text) {
            return text.length() == Items.TEXT.length();
        }

        @Override
        public void end(int resultIndex, boolean truncated) {}
    }
}
