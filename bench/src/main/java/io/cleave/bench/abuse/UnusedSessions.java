package io.cleave.bench.abuse;

import tech.ydb.proto.query.YdbQuery.CreateSessionRequest;
import tech.ydb.proto.query.YdbQuery.CreateSessionResponse;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/// Opens sessions and neither attaches nor uses them. They are closed in the end, so that the next
/// attack starts without them.
record UnusedSessions(int sessions) implements Attack {
    private static final int WINDOW_BYTES = 1 << 20;
    private static final int AT_ONCE = 100;

    @Override
    public void run(Target target, Endings endings, Deadline deadline)
            throws IOException, InterruptedException {
        byte[] headers = QuerySession.headers(Method.CREATE_SESSION, target.database());
        byte[] request = QuerySession.message(CreateSessionRequest.getDefaultInstance());
        try (var connection = target.attack(WINDOW_BYTES)) {
            List<Opening> openings = new ArrayList<>();
            for (int session = 0; session < sessions; session++) {
                var opening = new Opening();
                connection.ask(opening, headers, request);
                openings.add(opening);
                if (openings.size() % AT_ONCE == 0) {
                    var _ = deadline.of(opening.ending());
                }
            }
            for (Opening opening : openings) {
                endings.add(deadline.of(opening.ending()));
            }
            deadline.await();
            for (Opening opening : openings) {
                if (!opening.id.isEmpty()) {
                    new QuerySession(connection, target.database(), opening.id).delete();
                }
            }
        }
    }

    private static final class Opening extends Ask<CreateSessionResponse> {
        private volatile String id = "";

        Opening() {
            super(Method.CREATE_SESSION);
        }

        @Override
        void reply(CreateSessionResponse reply) {
            id = reply.getSessionId();
        }
    }
}
