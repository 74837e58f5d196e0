package io.cleave.bench.abuse;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/// Sends large queries at once, each in its own session. Queries that still run when the time is
/// over are cancelled together with their connection.
record QueryFlood(int queries, String text) implements Attack {
    private static final int QUERIES_A_CONNECTION = 10;
    private static final int WINDOW_BYTES = 1 << 20;

    @Override
    public void run(Target target, Endings endings, Deadline deadline)
            throws IOException, InterruptedException {
        List<QuerySession> sessions =
                QuerySession.openAll(target, queries, QUERIES_A_CONNECTION, WINDOW_BYTES, endings);
        List<CompletableFuture<Ending>> running = new ArrayList<>();
        for (QuerySession session : sessions) {
            var query = new Ask<>(Method.EXECUTE_QUERY);
            session.execute(query, session.query(text, false).build());
            running.add(query.ending());
        }
        for (CompletableFuture<Ending> query : running) {
            endings.add(deadline.of(query));
        }
        QuerySession.closeAll(sessions);
    }
}
