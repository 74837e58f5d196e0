package io.cleave.wire;

import static org.assertj.core.api.Assertions.assertThat;

import io.grpc.ManagedChannel;
import io.grpc.netty.shaded.io.grpc.netty.NettyChannelBuilder;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;

import tech.ydb.proto.OperationProtos.Operation;
import tech.ydb.proto.StatusCodesProtos.StatusIds.StatusCode;
import tech.ydb.proto.ValueProtos.Type;
import tech.ydb.proto.ValueProtos.Type.PrimitiveTypeId;
import tech.ydb.proto.ValueProtos.TypedValue;
import tech.ydb.proto.ValueProtos.Value;
import tech.ydb.proto.table.YdbTable.AlterTableRequest;
import tech.ydb.proto.table.YdbTable.ColumnMeta;
import tech.ydb.proto.table.YdbTable.SequenceDescription;
import tech.ydb.proto.table.v1.TableServiceGrpc;

/// What AlterTable changes of a column that is there.
class AlterDefaultTest {
    private static final TestServer SERVER = new TestServer();
    private static final ManagedChannel CHANNEL =
            NettyChannelBuilder.forTarget(SERVER.endpoint()).usePlaintext().build();

    @AfterAll
    static void stop() {
        CHANNEL.shutdownNow();
        SERVER.close();
    }

    private static Operation alter(String path, ColumnMeta.Builder column) {
        return TableServiceGrpc.newBlockingStub(CHANNEL)
                .alterTable(
                        AlterTableRequest.newBuilder()
                                .setPath(path)
                                .addAlterColumns(column)
                                .build())
                .getOperation();
    }

    private static ColumnMeta.Builder column(String name, int value) {
        return ColumnMeta.newBuilder()
                .setName(name)
                .setFromLiteral(
                        TypedValue.newBuilder()
                                .setType(Type.newBuilder().setTypeId(PrimitiveTypeId.INT32))
                                .setValue(Value.newBuilder().setInt32Value(value)));
    }

    @Test
    void newRowsHaveTheNewDefault() {
        String session = TestSessions.open(CHANNEL);
        TestSessions.run(
                CHANNEL,
                session,
                "CREATE TABLE t (k Int32, v Int32 DEFAULT 1, s Utf8, PRIMARY KEY (k))");
        Operation altered = alter("/local/t", column("v", 7));
        assertThat(altered.getStatus()).as(altered.toString()).isEqualTo(StatusCode.SUCCESS);
        TestSessions.run(CHANNEL, session, "UPSERT INTO t (k) VALUES (1)");
        assertThat(
                        TestSessions.run(CHANNEL, session, "SELECT v FROM t")
                                .getFirst()
                                .getResultSet()
                                .getRows(0)
                                .getItems(0)
                                .getInt32Value())
                .isEqualTo(7);

        Operation otherType = alter("/local/t", column("s", 7));
        assertThat(otherType.getStatus()).isEqualTo(StatusCode.BAD_REQUEST);
        assertThat(otherType.getIssues(0).getMessage())
                .isEqualTo(
                        "Default value of column 's': type mismatch, expected: Utf8, actual:"
                                + " Int32");
        assertThat(alter("/local/t", column("nope", 7)).getStatus())
                .isEqualTo(StatusCode.BAD_REQUEST);
        assertThat(alter("/local/nope", column("v", 7)).getStatus())
                .isEqualTo(StatusCode.SCHEME_ERROR);
        assertThat(
                        alter(
                                        "/local/t",
                                        ColumnMeta.newBuilder()
                                                .setName("v")
                                                .setFromSequence(
                                                        SequenceDescription.getDefaultInstance()))
                                .getStatus())
                .isEqualTo(StatusCode.UNSUPPORTED);
    }

    /// Clients that change something of a column say its type, too.
    @Test
    void aTypeIsTakenOnlyIfItIsTheColumns() {
        String session = TestSessions.open(CHANNEL);
        TestSessions.run(
                CHANNEL, session, "CREATE TABLE typed (k Int32, v Int32, PRIMARY KEY (k))");
        var int32 = Type.newBuilder().setTypeId(PrimitiveTypeId.INT32);
        Operation same = alter("/local/typed", column("v", 7).setType(int32));
        assertThat(same.getStatus()).as(same.toString()).isEqualTo(StatusCode.SUCCESS);

        var int64 = Type.newBuilder().setTypeId(PrimitiveTypeId.INT64);
        Operation other = alter("/local/typed", column("v", 8).setType(int64));
        assertThat(other.getStatus()).isEqualTo(StatusCode.BAD_REQUEST);
        assertThat(other.getIssues(0).getMessage())
                .isEqualTo("Cannot alter type for column 'v': it is Int32, not Int64");
    }
}
