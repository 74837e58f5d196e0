package io.cleave.wire;

import static org.assertj.core.api.Assertions.assertThat;

import io.cleave.memory.MemoryPool;
import io.cleave.query.Cancellation;
import io.cleave.query.QueryRun;
import io.cleave.query.QueryText;
import io.cleave.query.ResultLimits;
import io.cleave.query.Texts;
import io.cleave.query.TxControl;
import io.grpc.ManagedChannel;
import io.grpc.netty.shaded.io.grpc.netty.NettyChannelBuilder;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import tech.ydb.proto.StatusCodesProtos.StatusIds.StatusCode;
import tech.ydb.proto.ValueProtos.ListType;
import tech.ydb.proto.ValueProtos.StructMember;
import tech.ydb.proto.ValueProtos.StructType;
import tech.ydb.proto.ValueProtos.Type;
import tech.ydb.proto.ValueProtos.Type.PrimitiveTypeId;
import tech.ydb.proto.ValueProtos.TypedValue;
import tech.ydb.proto.ValueProtos.Value;
import tech.ydb.proto.table.YdbTable.CreateSessionRequest;
import tech.ydb.proto.table.YdbTable.ReadRowsRequest;
import tech.ydb.proto.table.v1.TableServiceGrpc;

import java.util.Map;

@Timeout(120)
class ReadRowsTest {
    private final TestServer server = new TestServer();
    private final ManagedChannel channel =
            NettyChannelBuilder.forTarget(server.endpoint()).usePlaintext().build();

    @AfterEach
    void stop() {
        channel.shutdownNow();
        server.close();
    }

    /// It is on the connection's thread that lookups of few keys are answered.
    @Test
    void aLookupThatWaitsForMemoryHoldsNobodyUp() throws Exception {
        run("CREATE TABLE t (k Uint64, v Utf8, PRIMARY KEY (k))");
        run("UPSERT INTO t (k, v) VALUES (1, '" + "x".repeat(100_000) + "')");
        MemoryPool results = server.database().memory().results();
        results.take(results.limitBytes());
        var lookup = TableServiceGrpc.newFutureStub(channel).readRows(keyOne());
        while (results.figures().waiting() == 0) {
            Thread.yield();
        }
        var other =
                TableServiceGrpc.newBlockingStub(channel)
                        .createSession(CreateSessionRequest.getDefaultInstance());
        assertThat(other.getOperation().getStatus()).isEqualTo(StatusCode.SUCCESS);
        assertThat(results.figures().waiting()).as("it waits still").isEqualTo(1);
        results.give(results.limitBytes());
        assertThat(lookup.get().getStatus()).isEqualTo(StatusCode.SUCCESS);
        assertThat(lookup.get().getResultSet().getRowsCount()).isEqualTo(1);
    }

    private static ReadRowsRequest keyOne() {
        Type key = Type.newBuilder().setTypeId(PrimitiveTypeId.UINT64).build();
        var struct =
                StructType.newBuilder()
                        .addMembers(StructMember.newBuilder().setName("k").setType(key));
        var list = ListType.newBuilder().setItem(Type.newBuilder().setStructType(struct));
        var row = Value.newBuilder().addItems(Value.newBuilder().setUint64Value(1));
        return ReadRowsRequest.newBuilder()
                .setPath("/local/t")
                .setKeys(
                        TypedValue.newBuilder()
                                .setType(Type.newBuilder().setListType(list))
                                .setValue(Value.newBuilder().addItems(row)))
                .build();
    }

    private void run(String text) {
        Texts.runAlone(
                server.database(),
                QueryText.ofQueryService(text, Map.of()),
                new QueryRun(
                        TxControl.IMPLICIT,
                        Map.of(),
                        ResultLimits.NONE,
                        Cancellation.byDefault(server.env())),
                new NoResults());
    }
}
