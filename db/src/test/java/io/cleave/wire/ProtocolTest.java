package io.cleave.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.protobuf.Duration;
import com.google.protobuf.InvalidProtocolBufferException;

import io.grpc.ManagedChannel;
import io.grpc.Metadata;
import io.grpc.StatusRuntimeException;
import io.grpc.netty.shaded.io.grpc.netty.NettyChannelBuilder;
import io.grpc.stub.MetadataUtils;
import io.grpc.stub.StreamObserver;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;

import tech.ydb.proto.OperationProtos.GetOperationRequest;
import tech.ydb.proto.OperationProtos.Operation;
import tech.ydb.proto.OperationProtos.OperationParams;
import tech.ydb.proto.StatusCodesProtos.StatusIds.StatusCode;
import tech.ydb.proto.ValueProtos.ResultSet;
import tech.ydb.proto.auth.YdbAuth.LoginRequest;
import tech.ydb.proto.auth.v1.AuthServiceGrpc;
import tech.ydb.proto.discovery.DiscoveryProtos.ListEndpointsRequest;
import tech.ydb.proto.discovery.DiscoveryProtos.ListEndpointsResult;
import tech.ydb.proto.discovery.v1.DiscoveryServiceGrpc;
import tech.ydb.proto.monitoring.MonitoringProtos.SelfCheck;
import tech.ydb.proto.monitoring.MonitoringProtos.SelfCheckRequest;
import tech.ydb.proto.monitoring.MonitoringProtos.SelfCheckResult;
import tech.ydb.proto.monitoring.v1.MonitoringServiceGrpc;
import tech.ydb.proto.operation.v1.OperationServiceGrpc;
import tech.ydb.proto.query.YdbQuery.AttachSessionRequest;
import tech.ydb.proto.query.YdbQuery.CreateSessionRequest;
import tech.ydb.proto.query.YdbQuery.DeleteSessionRequest;
import tech.ydb.proto.query.YdbQuery.ExecMode;
import tech.ydb.proto.query.YdbQuery.ExecuteQueryRequest;
import tech.ydb.proto.query.YdbQuery.ExecuteQueryResponsePart;
import tech.ydb.proto.query.YdbQuery.ExecuteScriptRequest;
import tech.ydb.proto.query.YdbQuery.FetchScriptResultsRequest;
import tech.ydb.proto.query.YdbQuery.QueryContent;
import tech.ydb.proto.query.YdbQuery.SessionState;
import tech.ydb.proto.query.v1.QueryServiceGrpc;
import tech.ydb.proto.scheme.SchemeOperationProtos.DescribePathRequest;
import tech.ydb.proto.scheme.SchemeOperationProtos.Entry;
import tech.ydb.proto.scheme.SchemeOperationProtos.ListDirectoryRequest;
import tech.ydb.proto.scheme.SchemeOperationProtos.ListDirectoryResult;
import tech.ydb.proto.scheme.SchemeOperationProtos.MakeDirectoryRequest;
import tech.ydb.proto.scheme.SchemeOperationProtos.RemoveDirectoryRequest;
import tech.ydb.proto.scheme.v1.SchemeServiceGrpc;
import tech.ydb.proto.scripting.ScriptingProtos.ExecuteYqlRequest;
import tech.ydb.proto.scripting.ScriptingProtos.ExecuteYqlResult;
import tech.ydb.proto.scripting.v1.ScriptingServiceGrpc;
import tech.ydb.proto.table.YdbTable;
import tech.ydb.proto.table.YdbTable.DescribeTableRequest;
import tech.ydb.proto.table.YdbTable.ExecuteDataQueryRequest;
import tech.ydb.proto.table.v1.TableServiceGrpc;

import java.io.IOException;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/// What goes over the wire, where a client library would hide it.
class ProtocolTest {
    private static final TestServer SERVER = new TestServer();
    private static final ManagedChannel CHANNEL =
            NettyChannelBuilder.forTarget(SERVER.endpoint()).usePlaintext().build();

    @AfterAll
    static void stop() {
        CHANNEL.shutdownNow();
        SERVER.close();
    }

    private static QueryServiceGrpc.QueryServiceBlockingStub queries() {
        return QueryServiceGrpc.newBlockingStub(CHANNEL);
    }

    private static String session() {
        return TestSessions.open(CHANNEL);
    }

    private static ExecuteQueryRequest.Builder execute(String session, String text) {
        return TestSessions.request(session, text);
    }

    private static List<ExecuteQueryResponsePart> run(ExecuteQueryRequest.Builder request) {
        return TestSessions.run(CHANNEL, request);
    }

    private static void run(String text) {
        TestSessions.run(CHANNEL, session(), text);
    }

    @Test
    void discoveryAnswersWithTheAddressTheClientUsed() throws Exception {
        ManagedChannel named =
                NettyChannelBuilder.forTarget(SERVER.endpoint())
                        .overrideAuthority("db.example:4000")
                        .usePlaintext()
                        .build();
        try {
            Operation operation =
                    DiscoveryServiceGrpc.newBlockingStub(named)
                            .listEndpoints(
                                    ListEndpointsRequest.newBuilder().setDatabase("/local").build())
                            .getOperation();
            var endpoints =
                    operation.getResult().unpack(ListEndpointsResult.class).getEndpointsList();
            assertThat(endpoints).hasSize(1);
            assertThat(endpoints.getFirst().getAddress()).isEqualTo("db.example");
            assertThat(endpoints.getFirst().getPort()).isEqualTo(4000);
            assertThat(endpoints.getFirst().getNodeId()).isEqualTo(1);
        } finally {
            named.shutdownNow();
        }
    }

    @Test
    void aPartIsAskedForWithAtMost32Mebibytes() {
        long most = 33_554_432;
        assertThat(partOf(0).getStatus()).isEqualTo(StatusCode.SUCCESS);
        assertThat(partOf(most).getStatus()).isEqualTo(StatusCode.SUCCESS);
        for (long wrong : List.of(most + 1, -1L)) {
            ExecuteQueryResponsePart refused = partOf(wrong);
            assertThat(refused.getStatus()).isEqualTo(StatusCode.BAD_REQUEST);
            assertThat(refused.getIssues(0).getMessage())
                    .isEqualTo(
                            "response_part_limit_bytes is %d; it must be between 0 and 33554432"
                                    .formatted(wrong));
        }
    }

    private static ExecuteQueryResponsePart partOf(long limitBytes) {
        return run(execute(session(), "SELECT 1").setResponsePartLimitBytes(limitBytes)).getFirst();
    }

    @Test
    void anotherDatabaseIsNotFound() {
        Operation operation =
                DiscoveryServiceGrpc.newBlockingStub(CHANNEL)
                        .listEndpoints(
                                ListEndpointsRequest.newBuilder().setDatabase("/other").build())
                        .getOperation();
        assertThat(operation.getStatus()).isEqualTo(StatusCode.NOT_FOUND);
        assertThat(operation.getIssues(0).getMessage()).contains("/other").contains("/local");

        Metadata headers = new Metadata();
        headers.put(Metadata.Key.of("x-ydb-database", Metadata.ASCII_STRING_MARSHALLER), "/other");
        assertThatThrownBy(
                        () ->
                                queries()
                                        .withInterceptors(
                                                MetadataUtils.newAttachHeadersInterceptor(headers))
                                        .createSession(CreateSessionRequest.getDefaultInstance()))
                .isInstanceOf(StatusRuntimeException.class)
                .hasMessageContaining("NOT_FOUND: Database '/other' not found");
    }

    @Test
    void aPortInUseIsNamed() {
        int port = SERVER.grpc().port();
        assertThatThrownBy(
                        () ->
                                GrpcServer.start(
                                        new io.cleave.base.SystemEnv(),
                                        SERVER.database(),
                                        "localhost",
                                        port))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("cannot listen on localhost:" + port);
    }

    @Test
    void theAttachStreamIsTheSessionsLifeLine() throws Exception {
        String session = session();
        Recorded states = new Recorded();
        var call =
                CHANNEL.newCall(
                        QueryServiceGrpc.getAttachSessionMethod(), io.grpc.CallOptions.DEFAULT);
        io.grpc.stub.ClientCalls.asyncServerStreamingCall(
                call, AttachSessionRequest.newBuilder().setSessionId(session).build(), states);
        assertThat(states.take()).isEqualTo("SUCCESS");
        assertThat(run(execute(session, "SELECT 1")).getFirst().getStatus())
                .isEqualTo(StatusCode.SUCCESS);
        call.cancel("gone", null);
        assertThat(states.take()).startsWith("CANCELLED");
        // The server learns of it a moment later.
        StatusCode status = StatusCode.SUCCESS;
        for (int tries = 0; tries < 1000 && status == StatusCode.SUCCESS; tries++) {
            status = run(execute(session, "SELECT 1")).getFirst().getStatus();
        }
        assertThat(status).isEqualTo(StatusCode.BAD_SESSION);
    }

    @Test
    void deletingASessionEndsItsAttachStream() throws Exception {
        String session = session();
        Recorded states = new Recorded();
        QueryServiceGrpc.newStub(CHANNEL)
                .attachSession(
                        AttachSessionRequest.newBuilder().setSessionId(session).build(), states);
        assertThat(states.take()).isEqualTo("SUCCESS");
        queries().deleteSession(DeleteSessionRequest.newBuilder().setSessionId(session).build());
        assertThat(states.take()).isEqualTo("completed");
    }

    @Test
    void attachingToNothingIsABadSession() throws Exception {
        Recorded states = new Recorded();
        QueryServiceGrpc.newStub(CHANNEL)
                .attachSession(
                        AttachSessionRequest.newBuilder().setSessionId("gone").build(), states);
        assertThat(states.take()).isEqualTo("BAD_SESSION");
        assertThat(states.take()).isEqualTo("completed");
    }

    @Test
    void theFirstPartTellsTheTransaction() {
        var request = execute(session(), "SELECT 1; SELECT 2;");
        request.getTxControlBuilder().getBeginTxBuilder().getSerializableReadWriteBuilder();
        List<ExecuteQueryResponsePart> parts = run(request);
        assertThat(parts).hasSize(2);
        assertThat(parts.get(0).getTxMeta().getId()).hasSize(26);
        assertThat(parts.get(1).hasTxMeta()).isFalse();
        assertThat(parts)
                .extracting(ExecuteQueryResponsePart::getResultSetIndex)
                .containsExactly(0L, 1L);
    }

    @Test
    void aTransactionThatWasCommittedHasNoId() {
        var request = execute(session(), "SELECT 1");
        request.getTxControlBuilder()
                .setCommitTx(true)
                .getBeginTxBuilder()
                .getSerializableReadWriteBuilder();
        ExecuteQueryResponsePart part = run(request).getFirst();
        assertThat(part.hasTxMeta()).isTrue();
        assertThat(part.getTxMeta().getId()).isEmpty();
    }

    @Test
    void whatAQueryCannotHaveIsRefused() {
        String session = session();
        assertRefused(
                execute(session, "SELECT 1").setPoolId("night"),
                StatusCode.NOT_FOUND,
                "Resource pool night not found or you don't have access permissions");
        assertRefused(
                execute(session, "SELECT 1").setResultSetFormat(ResultSet.Format.FORMAT_ARROW),
                StatusCode.UNSUPPORTED,
                "Result set format Arrow is not supported");
        // What clients send who say nothing, or leave the order of the parts to the server.
        var parts =
                run(
                        execute(session, "SELECT 1; SELECT 2")
                                .setPoolId("default")
                                .setResultSetFormat(ResultSet.Format.FORMAT_VALUE)
                                .setConcurrentResultSets(true));
        assertThat(parts)
                .allSatisfy(part -> assertThat(part.getStatus()).isEqualTo(StatusCode.SUCCESS))
                .extracting(ExecuteQueryResponsePart::getResultSetIndex)
                .containsExactly(0L, 1L);
    }

    private static void assertRefused(
            ExecuteQueryRequest.Builder request, StatusCode status, String text) {
        assertThat(run(request))
                .singleElement()
                .satisfies(
                        part -> {
                            assertThat(part.getStatus()).isEqualTo(status);
                            assertThat(part.getIssues(0).getMessage()).isEqualTo(text);
                        });
    }

    @Test
    void aTextThatDoesNotCompileEndsItsTransaction() {
        String session = session();
        var begin = execute(session, "SELECT 1");
        begin.getTxControlBuilder().getBeginTxBuilder().getSerializableReadWriteBuilder();
        String txId = run(begin).getFirst().getTxMeta().getId();
        var wrong = execute(session, "SELECT nonsense(");
        wrong.getTxControlBuilder().setTxId(txId);
        assertThat(run(wrong).getFirst().getStatus()).isEqualTo(StatusCode.GENERIC_ERROR);
        var next = execute(session, "SELECT 1");
        next.getTxControlBuilder().setTxId(txId);
        ExecuteQueryResponsePart part = run(next).getFirst();
        assertThat(part.getStatus()).isEqualTo(StatusCode.NOT_FOUND);
        assertThat(part.getIssues(0).getMessage()).isEqualTo("Transaction not found: " + txId);
        assertThat(part.getIssues(0).getIssueCode()).isEqualTo(2015);
    }

    @Test
    void aSlowReaderHoldsItsSession() throws Exception {
        run("CREATE TABLE slow (id Uint64, text Text, PRIMARY KEY (id))");
        for (int batch = 0; batch < 20; batch++) {
            run(
                    "UPSERT INTO slow SELECT CAST(x AS Uint64) + %dul AS id, '%s'u AS text FROM AS_TABLE(ListMap(ListFromRange(0, 1000), ($i) -> (<|x: $i|>)))"
                            .formatted(batch * 1000, "x".repeat(1000)));
        }
        String session = session();
        Iterator<ExecuteQueryResponsePart> parts =
                queries().executeQuery(execute(session, "SELECT * FROM slow").build());
        assertThat(parts.next().getStatus()).isEqualTo(StatusCode.SUCCESS);
        ExecuteQueryResponsePart busy = run(execute(session, "SELECT 1")).getFirst();
        assertThat(busy.getStatus()).isEqualTo(StatusCode.SESSION_BUSY);
        assertThat(busy.getIssues(0).getMessage()).isEqualTo("Pending previous query completion");
        int rows = 0;
        while (parts.hasNext()) {
            rows += parts.next().getResultSet().getRowsCount();
        }
        assertThat(rows).isGreaterThan(15_000);
        assertThat(run(execute(session, "SELECT 1")).getFirst().getStatus())
                .isEqualTo(StatusCode.SUCCESS);
    }

    @Test
    void timeLimitsEndQueries() {
        run("CREATE TABLE timed (id Uint64, PRIMARY KEY (id))");
        var tables = TableServiceGrpc.newBlockingStub(CHANNEL);
        var request =
                ExecuteDataQueryRequest.newBuilder()
                        .setSessionId(session())
                        .setQuery(YdbTable.Query.newBuilder().setYqlText("SELECT * FROM timed"));
        request.getTxControlBuilder()
                .setCommitTx(true)
                .getBeginTxBuilder()
                .getSerializableReadWriteBuilder();
        Duration nothing = Duration.newBuilder().setNanos(1).build();
        request.setOperationParams(OperationParams.newBuilder().setOperationTimeout(nothing));
        assertThat(tables.executeDataQuery(request.build()).getOperation().getStatus())
                .isEqualTo(StatusCode.TIMEOUT);
        request.setOperationParams(OperationParams.newBuilder().setCancelAfter(nothing));
        assertThat(tables.executeDataQuery(request.build()).getOperation().getStatus())
                .isEqualTo(StatusCode.CANCELLED);
    }

    @Test
    void directoriesAreMadeListedAndRemoved() throws Exception {
        var schemes = SchemeServiceGrpc.newBlockingStub(CHANNEL);
        var make = MakeDirectoryRequest.newBuilder().setPath("/local/made/deep").build();
        assertThat(schemes.makeDirectory(make).getOperation().getIssuesCount()).isZero();
        Operation again = schemes.makeDirectory(make).getOperation();
        assertThat(again.getStatus()).isEqualTo(StatusCode.SUCCESS);
        assertThat(again.getIssues(0).getMessage()).contains(" path exist, request accepts it");
        assertThat(
                        schemes.makeDirectory(
                                        MakeDirectoryRequest.newBuilder().setPath("/else").build())
                                .getOperation()
                                .getStatus())
                .isEqualTo(StatusCode.BAD_REQUEST);

        assertThat(list("/local/made").getChildrenList())
                .extracting(Entry::getName)
                .containsExactly("deep");
        ListDirectoryResult root = list("/");
        assertThat(root.getSelf().getName()).isEqualTo("/");
        assertThat(root.getChildrenList())
                .extracting(Entry::getName, Entry::getType)
                .containsExactly(
                        org.assertj.core.api.Assertions.tuple("local", Entry.Type.DIRECTORY));
        assertThat(list("/local").getChildrenList()).extracting(Entry::getName).contains(".sys");

        assertThat(remove("/local/made")).isNotEqualTo(StatusCode.SUCCESS);
        assertThat(remove("/local/made/deep")).isEqualTo(StatusCode.SUCCESS);
        assertThat(remove("/local/made/deep")).isEqualTo(StatusCode.SCHEME_ERROR);
        assertThat(
                        schemes.describePath(
                                        DescribePathRequest.newBuilder().setPath("/nope").build())
                                .getOperation()
                                .getStatus())
                .isEqualTo(StatusCode.SCHEME_ERROR);
    }

    private static ListDirectoryResult list(String path) throws InvalidProtocolBufferException {
        return SchemeServiceGrpc.newBlockingStub(CHANNEL)
                .listDirectory(ListDirectoryRequest.newBuilder().setPath(path).build())
                .getOperation()
                .getResult()
                .unpack(ListDirectoryResult.class);
    }

    private static StatusCode remove(String path) {
        return SchemeServiceGrpc.newBlockingStub(CHANNEL)
                .removeDirectory(RemoveDirectoryRequest.newBuilder().setPath(path).build())
                .getOperation()
                .getStatus();
    }

    @Test
    void aScriptRunsWhileItsClientLooksIn() throws Exception {
        var operations = OperationServiceGrpc.newBlockingStub(CHANNEL);
        Operation started =
                queries()
                        .executeScript(
                                ExecuteScriptRequest.newBuilder()
                                        .setExecMode(ExecMode.EXEC_MODE_EXECUTE)
                                        .setScriptContent(
                                                QueryContent.newBuilder()
                                                        .setText("SELECT 1; SELECT 2 AS two;"))
                                        .build());
        assertThat(started.getId()).startsWith("ydb://scriptexec/9?id=");
        Operation operation = started;
        for (int tries = 0; tries < 10_000 && !operation.getReady(); tries++) {
            operation =
                    operations
                            .getOperation(
                                    GetOperationRequest.newBuilder().setId(started.getId()).build())
                            .getOperation();
        }
        assertThat(operation.getStatus()).isEqualTo(StatusCode.SUCCESS);
        var fetched =
                queries()
                        .fetchScriptResults(
                                FetchScriptResultsRequest.newBuilder()
                                        .setOperationId(started.getId())
                                        .setResultSetIndex(1)
                                        .build());
        assertThat(fetched.getStatus()).isEqualTo(StatusCode.SUCCESS);
        assertThat(fetched.getResultSet().getColumns(0).getName()).isEqualTo("two");
        assertThat(
                        operations
                                .getOperation(GetOperationRequest.newBuilder().setId("no").build())
                                .getOperation()
                                .getStatus())
                .isEqualTo(StatusCode.NOT_FOUND);
    }

    @Test
    void theOtherServicesAnswer() throws Exception {
        assertThat(
                        MonitoringServiceGrpc.newBlockingStub(CHANNEL)
                                .selfCheck(SelfCheckRequest.getDefaultInstance())
                                .getOperation()
                                .getResult()
                                .unpack(SelfCheckResult.class)
                                .getSelfCheckResult())
                .isEqualTo(SelfCheck.Result.GOOD);
        assertThat(
                        AuthServiceGrpc.newBlockingStub(CHANNEL)
                                .login(LoginRequest.newBuilder().setUser("me").build())
                                .getOperation()
                                .getStatus())
                .isEqualTo(StatusCode.SUCCESS);
        assertThat(
                        ScriptingServiceGrpc.newBlockingStub(CHANNEL)
                                .executeYql(
                                        ExecuteYqlRequest.newBuilder()
                                                .setScript("SELECT 7 AS seven")
                                                .build())
                                .getOperation()
                                .getResult()
                                .unpack(ExecuteYqlResult.class)
                                .getResultSets(0)
                                .getRows(0)
                                .getItems(0)
                                .getInt32Value())
                .isEqualTo(7);
    }

    @Test
    void anIndexThatDoesNotServeIsAWarningOfTheExecution() {
        run("CREATE TABLE warned (k Int32, a Int32, PRIMARY KEY (k), INDEX i GLOBAL ON (a))");
        List<ExecuteQueryResponsePart> parts =
                run(execute(session(), "SELECT k FROM warned VIEW i WHERE k = 1"));
        assertThat(parts.getLast().getStatus()).isEqualTo(StatusCode.SUCCESS);
        assertThat(parts.stream().flatMap(part -> part.getIssuesList().stream()))
                .singleElement()
                .satisfies(
                        execution -> {
                            assertThat(execution.getIssueCode()).isEqualTo(1060);
                            assertThat(execution.getMessage()).isEqualTo("Execution");
                            var warning = execution.getIssues(0);
                            assertThat(warning.getIssueCode()).isEqualTo(2503);
                            assertThat(warning.getMessage())
                                    .isEqualTo("Given predicate is not suitable for used index: i");
                            assertThat(warning.getPosition().getRow()).isEqualTo(1);
                            assertThat(warning.getPosition().getColumn()).isEqualTo(1);
                        });
    }

    @Test
    void ofAPathThatIsNotThereDescribeTableSaysNothingButThat() {
        Operation unknown =
                TableServiceGrpc.newBlockingStub(CHANNEL)
                        .describeTable(
                                DescribeTableRequest.newBuilder().setPath("/local/no").build())
                        .getOperation();
        assertThat(unknown.getStatus()).isEqualTo(StatusCode.SCHEME_ERROR);
        assertThat(unknown.getIssuesList()).isEmpty();
    }

    /// What came on a stream of session states.
    private static final class Recorded implements StreamObserver<SessionState> {
        private final BlockingQueue<String> events = new LinkedBlockingQueue<>();

        String take() throws InterruptedException {
            return String.valueOf(events.poll(10, TimeUnit.SECONDS));
        }

        @Override
        public void onNext(SessionState state) {
            events.add(state.getStatus().name());
        }

        @Override
        public void onError(Throwable thrown) {
            events.add(io.grpc.Status.fromThrowable(thrown).getCode().name());
        }

        @Override
        public void onCompleted() {
            events.add("completed");
        }
    }
}
