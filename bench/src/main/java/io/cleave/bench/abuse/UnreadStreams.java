package io.cleave.bench.abuse;

import tech.ydb.proto.query.YdbQuery.ExecuteQueryResponsePart;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/// Selects the whole table many times on one connection, and reads only the first bytes of each
/// answer: enough to see whether a call was refused.
record UnreadStreams(int streams) implements Attack {
    private static final int WINDOW_BYTES = 16 << 10;

    @Override
    public void run(Target target, Endings endings, Deadline deadline)
            throws IOException, InterruptedException {
        List<QuerySession> sessions =
                QuerySession.openAll(target, streams, streams, WINDOW_BYTES, endings);
        List<Unread> running = new ArrayList<>();
        for (QuerySession session : sessions) {
            var unread = new Unread();
            session.execute(unread, session.query(BigTable.WHOLE, true).build());
            running.add(unread);
        }
        for (Unread unread : running) {
            endings.add(deadline.of(unread.ending()));
        }
        QuerySession.closeAll(sessions);
    }

    private static final class Unread extends Ask<ExecuteQueryResponsePart> {
        Unread() {
            super(Method.EXECUTE_QUERY);
        }

        @Override
        boolean isRead() {
            return false;
        }
    }
}
