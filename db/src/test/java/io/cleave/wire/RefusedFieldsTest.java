package io.cleave.wire;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import com.google.protobuf.Empty;

import io.grpc.ManagedChannel;
import io.grpc.netty.shaded.io.grpc.netty.NettyChannelBuilder;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

import tech.ydb.proto.OperationProtos.Operation;
import tech.ydb.proto.StatusCodesProtos.StatusIds.StatusCode;
import tech.ydb.proto.ValueProtos.Type.PrimitiveTypeId;
import tech.ydb.proto.YdbIssueMessage.IssueMessage;
import tech.ydb.proto.formats.YdbFormats.CsvSettings;
import tech.ydb.proto.table.YdbTable.AlterTableRequest;
import tech.ydb.proto.table.YdbTable.BulkUpsertRequest;
import tech.ydb.proto.table.YdbTable.Changefeed;
import tech.ydb.proto.table.YdbTable.ColumnMeta;
import tech.ydb.proto.table.YdbTable.CreateTableRequest;
import tech.ydb.proto.table.YdbTable.ExecuteScanQueryRequest;
import tech.ydb.proto.table.YdbTable.ExplainDataQueryRequest;
import tech.ydb.proto.table.YdbTable.SequenceDescription;
import tech.ydb.proto.table.v1.TableServiceGrpc;
import tech.ydb.proto.table.v1.TableServiceGrpc.TableServiceBlockingStub;

import java.util.List;
import java.util.stream.Collectors;

/// A field that is not honoured is refused by the call that has it, with a name that a client can
/// find. The same requests without the field are taken.
class RefusedFieldsTest {
    private static final TestServer SERVER = new TestServer();
    private static final ManagedChannel CHANNEL =
            NettyChannelBuilder.forTarget(SERVER.endpoint()).usePlaintext().build();
    private static final SequenceDescription SET =
            SequenceDescription.newBuilder()
                    .setName("s")
                    .setSetVal(SequenceDescription.SetVal.newBuilder().setNextValue(5))
                    .build();

    private static String session = "";

    @BeforeAll
    static void open() {
        session = TestSessions.open(CHANNEL);
        TestSessions.run(CHANNEL, session, "CREATE TABLE t (k Uint64, a Serial, PRIMARY KEY (k))");
    }

    @AfterAll
    static void stop() {
        CHANNEL.shutdownNow();
        SERVER.close();
    }

    private static TableServiceBlockingStub tables() {
        return TableServiceGrpc.newBlockingStub(CHANNEL);
    }

    private static void assertRefused(Operation operation, String words) {
        assertRefused(operation.getStatus(), operation.getIssuesList(), words);
    }

    private static void assertRefused(StatusCode status, List<IssueMessage> issues, String words) {
        String text = issues.stream().map(IssueMessage::getMessage).collect(Collectors.joining());
        assertThat(status).as(words + ": " + text).isEqualTo(StatusCode.UNSUPPORTED);
        assertThat(text).contains(words);
    }

    @Test
    void createTable() {
        create("tiering", "Tiering", request -> request.setTiering("cold"));
        create(
                "partition_by",
                "partition",
                request -> request.getPartitioningSettingsBuilder().addPartitionBy("k"));
        create(
                "set_val",
                "'set_val' of SequenceDescription",
                request -> request.addColumns(column("a", "INT64").setFromSequence(SET)));
    }

    private interface Change<B> {
        Object to(B request);
    }

    private static void create(
            String name, String words, Change<CreateTableRequest.Builder> change) {
        var request =
                CreateTableRequest.newBuilder()
                        .setSessionId(session)
                        .setPath("/local/with_" + name)
                        .addColumns(column("k", "UINT64"))
                        .addPrimaryKey("k");
        change.to(request);
        assertRefused(tables().createTable(request.build()).getOperation(), words);
    }

    private static ColumnMeta.Builder column(String name, String type) {
        var column = ColumnMeta.newBuilder().setName(name);
        column.getTypeBuilder().setTypeId(PrimitiveTypeId.valueOf(type));
        return column;
    }

    @Test
    void alterTable() {
        alter(
                "Changefeed",
                request -> request.addAddChangefeeds(Changefeed.newBuilder().setName("c")));
        alter("Changefeed", request -> request.addDropChangefeeds("c"));
        alter("Tiering", request -> request.setSetTiering("cold"));
        alter("Tiering", request -> request.setDropTiering(Empty.getDefaultInstance()));
        alter(
                "partition",
                request -> request.getAlterPartitioningSettingsBuilder().addPartitionBy("k"));
        alter(
                "A sequence as the default",
                request ->
                        request.addAlterColumns(
                                ColumnMeta.newBuilder().setName("a").setFromSequence(SET)));
        alter(
                "'set_val' of SequenceDescription",
                request -> request.addAddColumns(column("b", "INT64").setFromSequence(SET)));
    }

    private static void alter(String words, Change<AlterTableRequest.Builder> change) {
        var request = AlterTableRequest.newBuilder().setSessionId(session).setPath("/local/t");
        change.to(request);
        assertRefused(tables().alterTable(request.build()).getOperation(), words);
    }

    @Test
    void explainAndScan() {
        var explain =
                ExplainDataQueryRequest.newBuilder().setSessionId(session).setYqlText("SELECT 1");
        assertThat(tables().explainDataQuery(explain.build()).getOperation().getStatus())
                .isEqualTo(StatusCode.SUCCESS);
        assertRefused(
                tables().explainDataQuery(explain.setCollectFullDiagnostics(true).build())
                        .getOperation(),
                "'collect_full_diagnostics' of ExplainDataQueryRequest");
        var scan = ExecuteScanQueryRequest.newBuilder();
        scan.setMode(ExecuteScanQueryRequest.Mode.MODE_EXEC);
        scan.getQueryBuilder().setYqlText("SELECT 1");
        scan.setCollectFullDiagnostics(true);
        var part = tables().streamExecuteScanQuery(scan.build()).next();
        assertRefused(
                part.getStatus(),
                part.getIssuesList(),
                "'collect_full_diagnostics' of ExecuteScanQueryRequest");
    }

    @Test
    void bulkUpsert() {
        assertRefused(
                tables().bulkUpsert(
                                bulk().setCsvSettings(CsvSettings.newBuilder().setHeader(true))
                                        .build())
                        .getOperation(),
                "CSV");
        assertRefused(
                tables().bulkUpsert(bulk().setData(ByteString.copyFromUtf8("1,2")).build())
                        .getOperation(),
                "'data' of BulkUpsertRequest");
        var arrow = bulk();
        arrow.getArrowBatchSettingsBuilder().setSchema(ByteString.copyFromUtf8("s"));
        assertRefused(tables().bulkUpsert(arrow.build()).getOperation(), "Arrow");
    }

    private static BulkUpsertRequest.Builder bulk() {
        return BulkUpsertRequest.newBuilder().setTable("/local/t");
    }
}
