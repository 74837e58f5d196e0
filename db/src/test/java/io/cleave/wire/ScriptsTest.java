package io.cleave.wire;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.Duration;
import com.google.protobuf.InvalidProtocolBufferException;

import io.cleave.memory.MemoryPool;
import io.grpc.ManagedChannel;
import io.grpc.netty.shaded.io.grpc.netty.NettyChannelBuilder;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import tech.ydb.proto.OperationProtos.ForgetOperationRequest;
import tech.ydb.proto.OperationProtos.GetOperationRequest;
import tech.ydb.proto.OperationProtos.Operation;
import tech.ydb.proto.StatusCodesProtos.StatusIds.StatusCode;
import tech.ydb.proto.ValueProtos.Type;
import tech.ydb.proto.ValueProtos.Type.PrimitiveTypeId;
import tech.ydb.proto.ValueProtos.TypedValue;
import tech.ydb.proto.ValueProtos.Value;
import tech.ydb.proto.YdbQueryStats.QueryStats;
import tech.ydb.proto.operation.v1.OperationServiceGrpc;
import tech.ydb.proto.query.YdbQuery.ExecMode;
import tech.ydb.proto.query.YdbQuery.ExecuteScriptMetadata;
import tech.ydb.proto.query.YdbQuery.ExecuteScriptRequest;
import tech.ydb.proto.query.YdbQuery.FetchScriptResultsRequest;
import tech.ydb.proto.query.YdbQuery.FetchScriptResultsResponse;
import tech.ydb.proto.query.YdbQuery.QueryContent;
import tech.ydb.proto.query.YdbQuery.StatsMode;
import tech.ydb.proto.query.v1.QueryServiceGrpc;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/// How results of scripts are fetched, and which scripts give way to others.
@Timeout(120)
class ScriptsTest {
    private final TestServer server = new TestServer();
    private final ManagedChannel channel =
            NettyChannelBuilder.forTarget(server.endpoint())
                    .usePlaintext()
                    .maxInboundMessageSize(64 << 20)
                    .build();

    @AfterEach
    void stop() {
        channel.shutdownNow();
        server.close();
    }

    private Operation start(String text) {
        return start(text, Map.of());
    }

    private Operation start(String text, Map<String, TypedValue> parameters) {
        return start(request(text).putAllParameters(parameters));
    }

    private static ExecuteScriptRequest.Builder request(String text) {
        return ExecuteScriptRequest.newBuilder()
                .setExecMode(ExecMode.EXEC_MODE_EXECUTE)
                .setScriptContent(QueryContent.newBuilder().setText(text));
    }

    private Operation start(ExecuteScriptRequest.Builder request) {
        return QueryServiceGrpc.newBlockingStub(channel).executeScript(request.build());
    }

    private void forget(String id) {
        var reply =
                OperationServiceGrpc.newBlockingStub(channel)
                        .forgetOperation(ForgetOperationRequest.newBuilder().setId(id).build());
        assertThat(reply.getStatus()).isEqualTo(StatusCode.SUCCESS);
    }

    private Operation get(String id) {
        return OperationServiceGrpc.newBlockingStub(channel)
                .getOperation(GetOperationRequest.newBuilder().setId(id).build())
                .getOperation();
    }

    /// Runs the script to its end and gives its id.
    private String run(String text) {
        return run(request(text)).getId();
    }

    private Operation run(ExecuteScriptRequest.Builder request) {
        Operation operation = start(request);
        while (!operation.getReady()) {
            operation = get(operation.getId());
        }
        assertThat(operation.getStatus()).isEqualTo(StatusCode.SUCCESS);
        return operation;
    }

    private FetchScriptResultsResponse fetch(String id, String token, long rows) {
        return QueryServiceGrpc.newBlockingStub(channel)
                .fetchScriptResults(
                        FetchScriptResultsRequest.newBuilder()
                                .setOperationId(id)
                                .setFetchToken(token)
                                .setRowsLimit(rows)
                                .build());
    }

    @Test
    void theRestMayBeFetchedWithAnyLimit() {
        String id = run("SELECT * FROM AS_TABLE([<|a: 1|>, <|a: 2|>, <|a: 3|>])");
        FetchScriptResultsResponse first = fetch(id, "", 1);
        assertThat(first.getResultSet().getRowsCount()).isEqualTo(1);
        FetchScriptResultsResponse rest = fetch(id, first.getNextFetchToken(), Long.MAX_VALUE);
        assertThat(rest.getStatus()).isEqualTo(StatusCode.SUCCESS);
        assertThat(rest.getResultSet().getRowsCount()).isEqualTo(2);
        assertThat(rest.getNextFetchToken()).isEmpty();
    }

    @Test
    void statisticsAreGivenToThoseWhoAskForThem() throws InvalidProtocolBufferException {
        assertThat(statsOf(StatsMode.STATS_MODE_NONE).getTotalDurationUs()).isZero();
        QueryStats basic = statsOf(StatsMode.STATS_MODE_BASIC);
        assertThat(basic.getTotalDurationUs()).isPositive();
        assertThat(basic.getQueryPlan()).isEmpty();
        assertThat(statsOf(StatsMode.STATS_MODE_FULL).getQueryPlan()).isNotEmpty();
    }

    private QueryStats statsOf(StatsMode mode) throws InvalidProtocolBufferException {
        Operation ended = run(request("SELECT 1").setStatsMode(mode));
        return ended.getMetadata().unpack(ExecuteScriptMetadata.class).getExecStats();
    }

    @Test
    void resultsCannotBeKeptForMoreThanAnHour() {
        Operation refused = start(request("SELECT 1").setResultsTtl(ofSeconds(3601)));
        assertThat(refused.getStatus()).isEqualTo(StatusCode.BAD_REQUEST);
        assertThat(refused.getIssues(0).getMessage())
                .isEqualTo("results_ttl is 3601 s; it must be between 0 and 3600 s");
        Operation kept = run(request("SELECT 1").setResultsTtl(ofSeconds(3600)));
        assertThat(fetch(kept.getId(), "", 10).getStatus()).isEqualTo(StatusCode.SUCCESS);
    }

    private static Duration ofSeconds(long seconds) {
        return Duration.newBuilder().setSeconds(seconds).build();
    }

    @Test
    void theOldestThatHasEndedGivesWay() {
        List<String> ids = new ArrayList<>();
        for (int script = 0; script <= Scripts.MAX_SCRIPTS; script++) {
            ids.add(run("SELECT " + script));
        }
        assertThat(get(ids.getFirst()).getStatus()).isEqualTo(StatusCode.NOT_FOUND);
        for (String id : ids.subList(1, ids.size())) {
            assertThat(fetch(id, "", 10).getStatus()).isEqualTo(StatusCode.SUCCESS);
        }
    }

    @Test
    void resultsOfAllScriptsAreBounded() {
        String large =
                "SELECT x FROM AS_TABLE(ListMap(ListFromRange(0, 40), ($i) -> (<|x:"
                        + " String::LeftPad(CAST($i AS String), 1000000u)|>)))";
        List<String> ids = new ArrayList<>();
        for (long bytes = 0; bytes <= Scripts.MAX_BYTES; bytes += 40_000_000) {
            ids.add(run(large));
        }
        assertThat(get(ids.getFirst()).getStatus()).isEqualTo(StatusCode.NOT_FOUND);
        assertThat(fetch(ids.getLast(), "", 1).getStatus()).isEqualTo(StatusCode.SUCCESS);
    }

    /// The call has its answer long before.
    @Test
    void parametersAreCountedWhileTheScriptRuns() {
        MemoryPool requests = server.database().memory().requests();
        MemoryPool runs = server.database().memory().runs();
        runs.take(runs.limitBytes());
        Operation operation = start(WAITING, LARGE_PARAMETERS);
        awaitWaiting(runs);
        assertThat(requests.usedBytes()).isGreaterThan(PARAMETER_BYTES);
        runs.give(runs.limitBytes());
        while (!operation.getReady()) {
            operation = get(operation.getId());
        }
        assertThat(operation.getStatus()).isEqualTo(StatusCode.SUCCESS);
        awaitNothing(requests);
    }

    @Test
    void aScriptThatIsForgottenGivesEverythingBack() {
        MemoryPool runs = server.database().memory().runs();
        runs.take(runs.limitBytes());
        Operation operation = start(WAITING, LARGE_PARAMETERS);
        awaitWaiting(runs);
        forget(operation.getId());
        runs.give(runs.limitBytes());
        awaitNothing(server.database().memory().requests());
        awaitNothing(server.database().memory().results());
    }

    @Test
    void resultsThatAreKeptLeaveLessToOthers() {
        MemoryPool results = server.database().memory().results();
        String id =
                run(
                        "SELECT String::LeftPad(CAST(i AS String), 1000000u) FROM"
                                + " (SELECT ListFromRange(0, 40) AS i) FLATTEN LIST BY i");
        assertThat(results.tryTake(results.limitBytes() - 30_000_000)).isFalse();
        forget(id);
        awaitNothing(results);
    }

    /// Its list waits for the memory of runs.
    private static final String WAITING =
            "DECLARE $n AS Int64; DECLARE $p AS Utf8;"
                    + " SELECT ListLength(ListFromRange(0l, $n)), LENGTH($p)";

    private static final int PARAMETER_BYTES = 3_000_000;

    private static final Map<String, TypedValue> LARGE_PARAMETERS =
            Map.of(
                    "$n",
                    parameter(PrimitiveTypeId.INT64, Value.newBuilder().setInt64Value(100_000)),
                    "$p",
                    parameter(
                            PrimitiveTypeId.UTF8,
                            Value.newBuilder().setTextValue("x".repeat(PARAMETER_BYTES))));

    private static TypedValue parameter(PrimitiveTypeId type, Value.Builder value) {
        return TypedValue.newBuilder()
                .setType(Type.newBuilder().setTypeId(type))
                .setValue(value)
                .build();
    }

    private static void awaitWaiting(MemoryPool pool) {
        while (pool.figures().waiting() == 0) {
            Thread.yield();
        }
    }

    private static void awaitNothing(MemoryPool pool) {
        while (pool.usedBytes() > 0) {
            Thread.yield();
        }
    }
}
