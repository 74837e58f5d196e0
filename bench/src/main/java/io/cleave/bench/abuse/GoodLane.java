package io.cleave.bench.abuse;

import org.jspecify.annotations.Nullable;

import tech.ydb.proto.ValueProtos.Type;
import tech.ydb.proto.ValueProtos.Type.PrimitiveTypeId;
import tech.ydb.proto.ValueProtos.TypedValue;
import tech.ydb.proto.ValueProtos.Value;
import tech.ydb.proto.query.YdbQuery.ExecuteQueryResponsePart;

import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.TimeUnit;

/// One connection of a good client, with its sessions. After a connection is lost, the next request
/// opens a new one, as the SDKs do.
///
/// Threads: only one may ask.
final class GoodLane implements AutoCloseable {
    private static final int SESSIONS = 16;
    private static final int WINDOW_BYTES = 1 << 20;
    private static final Duration SESSION_LIMIT = Duration.ofSeconds(5);
    private static final int RECONNECT_MILLIS = 100;

    private final Target target;
    private final GoodTally tally;
    private BlockingQueue<QuerySession> free = new ArrayBlockingQueue<>(SESSIONS);
    private @Nullable Http2Connection connection;
    private int sessions;

    /// Until then all sessions were busy. Requests that were due before then have waited for the
    /// server.
    private long busyUntilNanos;

    GoodLane(Target target, GoodTally tally) {
        this.target = target;
        this.tally = tally;
    }

    private Http2Connection connected() throws IOException {
        Http2Connection known = connection;
        if (known != null && known.ending() == null) {
            return known;
        }
        var opened = Http2Connection.open(Target.goodClient(), target.grpc(), WINDOW_BYTES);
        connection = opened;
        free = new ArrayBlockingQueue<>(SESSIONS);
        sessions = 0;
        return opened;
    }

    /// Selects a row. The latency counts from the time of sending. If no session was free, it
    /// counts from the time at which the request was due.
    void ask(int row, long dueNanos) throws InterruptedException {
        GoodTally.Round round = tally.asked();
        try {
            QuerySession session = session();
            if (session == null) {
                tally.givenUp(
                        round,
                        busyUntilNanos - dueNanos,
                        "no session was free within " + SESSION_LIMIT.toSeconds() + " s");
                return;
            }
            var request = session.query(BigTable.POINT, true).putParameters("$id", number(row));
            long from = dueNanos < busyUntilNanos ? dueNanos : StampedSocket.wallNanos();
            session.execute(new Select(session, free, round, from), request.build());
        } catch (IOException e) {
            tally.failed(round, String.valueOf(e.getMessage()));
            TimeUnit.MILLISECONDS.sleep(RECONNECT_MILLIS);
        }
    }

    private @Nullable QuerySession session() throws IOException, InterruptedException {
        Http2Connection to = connected();
        QuerySession session = free.poll();
        if (session != null) {
            return session;
        }
        if (sessions < SESSIONS) {
            session = QuerySession.open(to, target.database());
            sessions++;
            return session;
        }
        session = free.poll(SESSION_LIMIT.toMillis(), TimeUnit.MILLISECONDS);
        busyUntilNanos = StampedSocket.wallNanos();
        return session;
    }

    private static TypedValue number(int row) {
        return TypedValue.newBuilder()
                .setType(Type.newBuilder().setTypeId(PrimitiveTypeId.UINT64))
                .setValue(Value.newBuilder().setUint64Value(row))
                .build();
    }

    /// Returns the session to the queue when it has its answer.
    private final class Select extends Ask<ExecuteQueryResponsePart> {
        private final QuerySession session;
        private final BlockingQueue<QuerySession> givenBack;
        private final GoodTally.Round round;
        private final long fromNanos;
        private int rows;

        Select(
                QuerySession session,
                BlockingQueue<QuerySession> givenBack,
                GoodTally.Round round,
                long fromNanos) {
            super(Method.EXECUTE_QUERY);
            this.session = session;
            this.givenBack = givenBack;
            this.round = round;
            this.fromNanos = fromNanos;
        }

        @Override
        void reply(ExecuteQueryResponsePart part) {
            rows += part.getResultSet().getRowsCount();
        }

        @Override
        void ended(Ending how, long arrivedNanos) {
            super.ended(how, arrivedNanos);
            long now = StampedSocket.wallNanos();
            Ending ending = ending().join();
            if (!ending.equals(Ending.SUCCESS)) {
                tally.failed(round, ending.status() + ": " + ending.message());
            } else if (rows != 1) {
                tally.failed(round, rows + " rows instead of one");
            } else {
                tally.answered(round, arrivedNanos - fromNanos, now - fromNanos);
            }
            var _ = givenBack.offer(session);
        }
    }

    /// Opens, attaches and closes a session.
    void openAndDelete() throws InterruptedException {
        try {
            QuerySession.open(connected(), target.database()).delete();
            tally.sessionOpened();
        } catch (IOException e) {
            tally.sessionFailed("a session: " + e.getMessage());
            TimeUnit.MILLISECONDS.sleep(RECONNECT_MILLIS);
        }
    }

    @Override
    public void close() {
        Http2Connection known = connection;
        if (known != null) {
            known.close();
        }
    }
}
