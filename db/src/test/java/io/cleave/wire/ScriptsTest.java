package io.cleave.wire;

import static org.assertj.core.api.Assertions.assertThat;

import io.grpc.ManagedChannel;
import io.grpc.netty.shaded.io.grpc.netty.NettyChannelBuilder;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import tech.ydb.proto.OperationProtos.GetOperationRequest;
import tech.ydb.proto.OperationProtos.Operation;
import tech.ydb.proto.StatusCodesProtos.StatusIds.StatusCode;
import tech.ydb.proto.operation.v1.OperationServiceGrpc;
import tech.ydb.proto.query.YdbQuery.ExecMode;
import tech.ydb.proto.query.YdbQuery.ExecuteScriptRequest;
import tech.ydb.proto.query.YdbQuery.FetchScriptResultsRequest;
import tech.ydb.proto.query.YdbQuery.FetchScriptResultsResponse;
import tech.ydb.proto.query.YdbQuery.QueryContent;
import tech.ydb.proto.query.v1.QueryServiceGrpc;

import java.util.ArrayList;
import java.util.List;

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
        return QueryServiceGrpc.newBlockingStub(channel)
                .executeScript(
                        ExecuteScriptRequest.newBuilder()
                                .setExecMode(ExecMode.EXEC_MODE_EXECUTE)
                                .setScriptContent(QueryContent.newBuilder().setText(text))
                                .build());
    }

    private Operation get(String id) {
        return OperationServiceGrpc.newBlockingStub(channel)
                .getOperation(GetOperationRequest.newBuilder().setId(id).build())
                .getOperation();
    }

    /// Runs the script to its end and gives its id.
    private String run(String text) {
        Operation operation = start(text);
        while (!operation.getReady()) {
            operation = get(operation.getId());
        }
        assertThat(operation.getStatus()).isEqualTo(StatusCode.SUCCESS);
        return operation.getId();
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
}
