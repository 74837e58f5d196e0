package io.cleave.wire;

import static org.assertj.core.api.Assertions.assertThat;

import io.grpc.Context;
import io.grpc.ManagedChannel;
import io.grpc.netty.shaded.io.grpc.netty.NettyChannelBuilder;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import tech.ydb.proto.StatusCodesProtos.StatusIds.StatusCode;
import tech.ydb.proto.query.YdbQuery.ExecuteQueryRequest;
import tech.ydb.proto.query.YdbQuery.ExecuteQueryResponsePart;
import tech.ydb.proto.query.YdbQuery.SerializableModeSettings;
import tech.ydb.proto.query.YdbQuery.TransactionControl;
import tech.ydb.proto.query.YdbQuery.TransactionSettings;
import tech.ydb.proto.query.v1.QueryServiceGrpc;

import java.util.Iterator;
import java.util.List;

/// What is left of a query whose client has gone away in the middle of its answer.
@Timeout(120)
class GoneClientTest {
    /// More than a connection takes before it is read.
    private static final String MANY_ROWS =
            "SELECT x, '%s' AS t FROM AS_TABLE(ListMap(ListFromRange(0, 100000), ($i) -> (<|x: $i|>)))"
                    .formatted("y".repeat(1000));

    private final TestServer server = new TestServer();
    private final ManagedChannel channel =
            NettyChannelBuilder.forTarget(server.endpoint()).usePlaintext().build();
    private String session = "";

    @BeforeEach
    void open() {
        session = TestSessions.open(channel);
        TestSessions.run(channel, session, "CREATE TABLE t (id Uint64, v Int32, PRIMARY KEY (id))");
    }

    @AfterEach
    void stop() {
        channel.shutdownNow();
        server.close();
    }

    private ExecuteQueryRequest.Builder inTransaction(String text, String txId) {
        var control = TransactionControl.newBuilder();
        if (txId.isEmpty()) {
            control.setBeginTx(
                    TransactionSettings.newBuilder()
                            .setSerializableReadWrite(
                                    SerializableModeSettings.getDefaultInstance()));
        } else {
            control.setTxId(txId);
        }
        return TestSessions.request(session, text).setTxControl(control);
    }

    /// Reads the first part of the answer and goes away.
    private void leave(ExecuteQueryRequest.Builder request) {
        Context.CancellableContext context = Context.current().withCancellation();
        context.run(
                () -> {
                    Iterator<ExecuteQueryResponsePart> parts =
                            QueryServiceGrpc.newBlockingStub(channel).executeQuery(request.build());
                    assertThat(parts.next().getStatus()).isEqualTo(StatusCode.SUCCESS);
                });
        context.cancel(null);
    }

    /// The session is busy until the server has noticed.
    private ExecuteQueryResponsePart whenFree(ExecuteQueryRequest.Builder request) {
        while (true) {
            List<ExecuteQueryResponsePart> parts = TestSessions.run(channel, request);
            if (parts.getFirst().getStatus() != StatusCode.SESSION_BUSY) {
                return parts.getFirst();
            }
        }
    }

    @Test
    void itsSessionIsFreeAgain() {
        leave(TestSessions.request(session, MANY_ROWS));
        assertThat(whenFree(TestSessions.request(session, "SELECT 1")).getStatus())
                .isEqualTo(StatusCode.SUCCESS);
    }

    @Test
    void itsTransactionIsGoneWithAllItWrote() {
        String txId =
                TestSessions.run(channel, inTransaction("UPSERT INTO t (id) VALUES (1ul)", ""))
                        .getFirst()
                        .getTxMeta()
                        .getId();
        leave(inTransaction(MANY_ROWS, txId));
        assertThat(whenFree(inTransaction("SELECT 1", txId)).getStatus())
                .isEqualTo(StatusCode.NOT_FOUND);
        assertThat(count()).isZero();
    }

    @Test
    void aTextThatCommitsAtItsEndCommitsNothing() {
        leave(TestSessions.request(session, "UPSERT INTO t (id) VALUES (2ul); " + MANY_ROWS));
        whenFree(TestSessions.request(session, "SELECT 1"));
        assertThat(count()).isZero();
    }

    private long count() {
        return TestSessions.run(channel, session, "SELECT COUNT(*) FROM t")
                .getFirst()
                .getResultSet()
                .getRows(0)
                .getItems(0)
                .getUint64Value();
    }
}
