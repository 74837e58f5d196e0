package io.cleave.wire;

import static org.assertj.core.api.Assertions.assertThat;

import io.grpc.Channel;

import tech.ydb.proto.StatusCodesProtos.StatusIds.StatusCode;
import tech.ydb.proto.query.YdbQuery.CreateSessionRequest;
import tech.ydb.proto.query.YdbQuery.ExecMode;
import tech.ydb.proto.query.YdbQuery.ExecuteQueryRequest;
import tech.ydb.proto.query.YdbQuery.ExecuteQueryResponsePart;
import tech.ydb.proto.query.YdbQuery.QueryContent;
import tech.ydb.proto.query.v1.QueryServiceGrpc;

import java.util.ArrayList;
import java.util.List;

/// Sessions without a client library.
final class TestSessions {
    private TestSessions() {}

    static String open(Channel channel) {
        return QueryServiceGrpc.newBlockingStub(channel)
                .createSession(CreateSessionRequest.getDefaultInstance())
                .getSessionId();
    }

    static ExecuteQueryRequest.Builder request(String session, String text) {
        return ExecuteQueryRequest.newBuilder()
                .setSessionId(session)
                .setExecMode(ExecMode.EXEC_MODE_EXECUTE)
                .setQueryContent(QueryContent.newBuilder().setText(text));
    }

    static List<ExecuteQueryResponsePart> run(
            Channel channel, ExecuteQueryRequest.Builder request) {
        List<ExecuteQueryResponsePart> parts = new ArrayList<>();
        QueryServiceGrpc.newBlockingStub(channel)
                .executeQuery(request.build())
                .forEachRemaining(parts::add);
        return parts;
    }

    /// Runs a text that must succeed.
    static List<ExecuteQueryResponsePart> run(Channel channel, String session, String text) {
        List<ExecuteQueryResponsePart> parts = run(channel, request(session, text));
        for (ExecuteQueryResponsePart part : parts) {
            assertThat(part.getStatus()).as(part.toString()).isEqualTo(StatusCode.SUCCESS);
        }
        return parts;
    }
}
