package io.cleave.wire;

import static org.assertj.core.api.Assertions.assertThat;

import io.grpc.ManagedChannel;
import io.grpc.netty.shaded.io.grpc.netty.NettyChannelBuilder;
import io.grpc.stub.StreamObserver;

import org.junit.jupiter.api.Test;

import tech.ydb.proto.query.YdbQuery.AttachSessionRequest;
import tech.ydb.proto.query.YdbQuery.ExecuteQueryResponsePart;
import tech.ydb.proto.query.YdbQuery.SessionState;
import tech.ydb.proto.query.v1.QueryServiceGrpc;

import java.time.Duration;
import java.util.Iterator;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

class StopTest {
    @Test
    void whatWasAcceptedIsFinishedAndSessionsEnd() throws Exception {
        try (TestServer server = new TestServer()) {
            ManagedChannel channel =
                    NettyChannelBuilder.forTarget(server.endpoint()).usePlaintext().build();
            String session = TestSessions.open(channel);
            TestSessions.run(
                    channel, session, "CREATE TABLE t (id Int32, text Text, PRIMARY KEY (id))");
            for (int id = 0; id < 80; id++) {
                TestSessions.run(
                        channel,
                        session,
                        "UPSERT INTO t (id, text) VALUES (%d, '%s'u)"
                                .formatted(id, "x".repeat(100_000)));
            }
            Ended attached = new Ended();
            QueryServiceGrpc.newStub(channel)
                    .attachSession(
                            AttachSessionRequest.newBuilder().setSessionId(session).build(),
                            attached);
            // Eight megabytes that nobody reads yet: the query is under way when the server stops.
            Iterator<ExecuteQueryResponsePart> parts =
                    QueryServiceGrpc.newBlockingStub(channel)
                            .executeQuery(TestSessions.request(session, "SELECT * FROM t").build());
            parts.next();

            var stopped =
                    CompletableFuture.runAsync(
                            () -> {
                                try {
                                    server.grpc().stop(Duration.ofSeconds(20));
                                } catch (InterruptedException e) {
                                    throw new IllegalStateException(e);
                                }
                            });
            int rows = 0;
            while (parts.hasNext()) {
                rows += parts.next().getResultSet().getRowsCount();
            }
            assertThat(rows).isGreaterThan(60);
            stopped.get(20, TimeUnit.SECONDS);
            assertThat(attached.how.get(20, TimeUnit.SECONDS)).isEqualTo("completed");
            assertThat(server.database().sessions().size()).isZero();
            channel.shutdownNow();
        }
    }

    private static final class Ended implements StreamObserver<SessionState> {
        private final CompletableFuture<String> how = new CompletableFuture<>();

        @Override
        public void onNext(SessionState state) {}

        @Override
        public void onError(Throwable thrown) {
            how.complete(thrown.toString());
        }

        @Override
        public void onCompleted() {
            how.complete("completed");
        }
    }
}
