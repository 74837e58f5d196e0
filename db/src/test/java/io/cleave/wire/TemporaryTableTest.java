package io.cleave.wire;

import static org.assertj.core.api.Assertions.assertThat;

import io.grpc.Grpc;
import io.grpc.InsecureChannelCredentials;
import io.grpc.ManagedChannel;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;

import tech.ydb.proto.StatusCodesProtos.StatusIds.StatusCode;
import tech.ydb.proto.ValueProtos.Type;
import tech.ydb.proto.ValueProtos.Type.PrimitiveTypeId;
import tech.ydb.proto.table.YdbTable.AlterTableRequest;
import tech.ydb.proto.table.YdbTable.ColumnMeta;
import tech.ydb.proto.table.YdbTable.CreateSessionRequest;
import tech.ydb.proto.table.YdbTable.CreateSessionResult;
import tech.ydb.proto.table.YdbTable.CreateTableRequest;
import tech.ydb.proto.table.YdbTable.DescribeTableRequest;
import tech.ydb.proto.table.YdbTable.DescribeTableResult;
import tech.ydb.proto.table.YdbTable.DropTableRequest;
import tech.ydb.proto.table.v1.TableServiceGrpc;

/// A session's own table through the calls of the table service.
class TemporaryTableTest {
    private static final TestServer SERVER = new TestServer();
    private static final ManagedChannel CHANNEL =
            Grpc.newChannelBuilder(SERVER.endpoint(), InsecureChannelCredentials.create()).build();

    @AfterAll
    static void stop() {
        CHANNEL.shutdownNow();
        SERVER.close();
    }

    private final TableServiceGrpc.TableServiceBlockingStub stub =
            TableServiceGrpc.newBlockingStub(CHANNEL);

    private String session() throws Exception {
        return stub.createSession(CreateSessionRequest.getDefaultInstance())
                .getOperation()
                .getResult()
                .unpack(CreateSessionResult.class)
                .getSessionId();
    }

    @Test
    void itIsMadeDescribedChangedAndDropped() throws Exception {
        String session = session();
        var create =
                CreateTableRequest.newBuilder()
                        .setSessionId(session)
                        .setPath("/local/temporary")
                        .setTemporary(true)
                        .addColumns(column("k"))
                        .addPrimaryKey("k")
                        .build();
        assertThat(stub.createTable(create).getOperation().getStatus())
                .isEqualTo(StatusCode.SUCCESS);
        assertThat(describe(session).getTemporary()).isTrue();
        assertThat(describe(session).getSelf().getName()).isEqualTo("temporary");
        assertThat(stub.describeTable(request(session())).getOperation().getStatus())
                .isEqualTo(StatusCode.SCHEME_ERROR);
        var alter =
                AlterTableRequest.newBuilder()
                        .setSessionId(session)
                        .setPath("/local/temporary")
                        .addAddColumns(optionalColumn("v"))
                        .build();
        assertThat(stub.alterTable(alter).getOperation().getStatus()).isEqualTo(StatusCode.SUCCESS);
        assertThat(describe(session).getColumnsCount()).isEqualTo(2);
        var drop =
                DropTableRequest.newBuilder()
                        .setSessionId(session)
                        .setPath("/local/temporary")
                        .build();
        assertThat(stub.dropTable(drop).getOperation().getStatus()).isEqualTo(StatusCode.SUCCESS);
        assertThat(stub.dropTable(drop).getOperation().getStatus())
                .isEqualTo(StatusCode.SCHEME_ERROR);
    }

    @Test
    void itNeedsASession() {
        var create =
                CreateTableRequest.newBuilder()
                        .setPath("/local/none")
                        .setTemporary(true)
                        .addColumns(column("k"))
                        .addPrimaryKey("k")
                        .build();
        assertThat(stub.createTable(create).getOperation().getStatus())
                .isEqualTo(StatusCode.BAD_SESSION);
    }

    private static ColumnMeta column(String name) {
        return ColumnMeta.newBuilder()
                .setName(name)
                .setType(Type.newBuilder().setTypeId(PrimitiveTypeId.INT32))
                .build();
    }

    private static ColumnMeta optionalColumn(String name) {
        var type = Type.newBuilder();
        type.getOptionalTypeBuilder().getItemBuilder().setTypeId(PrimitiveTypeId.INT32);
        return ColumnMeta.newBuilder().setName(name).setType(type).build();
    }

    private static DescribeTableRequest request(String session) {
        return DescribeTableRequest.newBuilder()
                .setSessionId(session)
                .setPath("/local/temporary")
                .build();
    }

    private DescribeTableResult describe(String session) throws Exception {
        return stub.describeTable(request(session))
                .getOperation()
                .getResult()
                .unpack(DescribeTableResult.class);
    }
}
