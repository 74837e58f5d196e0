package io.cleave.bench.abuse;

import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.Parser;

import tech.ydb.proto.StatusCodesProtos.StatusIds.StatusCode;
import tech.ydb.proto.YdbIssueMessage.IssueMessage;
import tech.ydb.proto.query.YdbQuery.CreateSessionResponse;
import tech.ydb.proto.query.YdbQuery.DeleteSessionResponse;
import tech.ydb.proto.query.YdbQuery.ExecuteQueryResponsePart;
import tech.ydb.proto.query.YdbQuery.SessionState;

import java.util.List;
import java.util.function.Function;
import java.util.stream.Collectors;

/// A method of YDB's query service, and where its replies carry their status.
record Method<R>(
        String path,
        Parser<R> parser,
        Function<R, StatusCode> status,
        Function<R, List<IssueMessage>> issues) {
    static final Method<CreateSessionResponse> CREATE_SESSION =
            of(
                    "CreateSession",
                    CreateSessionResponse.parser(),
                    CreateSessionResponse::getStatus,
                    CreateSessionResponse::getIssuesList);
    static final Method<SessionState> ATTACH_SESSION =
            of(
                    "AttachSession",
                    SessionState.parser(),
                    SessionState::getStatus,
                    SessionState::getIssuesList);
    static final Method<DeleteSessionResponse> DELETE_SESSION =
            of(
                    "DeleteSession",
                    DeleteSessionResponse.parser(),
                    DeleteSessionResponse::getStatus,
                    DeleteSessionResponse::getIssuesList);
    static final Method<ExecuteQueryResponsePart> EXECUTE_QUERY =
            of(
                    "ExecuteQuery",
                    ExecuteQueryResponsePart.parser(),
                    ExecuteQueryResponsePart::getStatus,
                    ExecuteQueryResponsePart::getIssuesList);

    private static <R> Method<R> of(
            String name,
            Parser<R> parser,
            Function<R, StatusCode> status,
            Function<R, List<IssueMessage>> issues) {
        return new Method<>("/Ydb.Query.V1.QueryService/" + name, parser, status, issues);
    }

    R parse(byte[] reply) {
        try {
            return parser.parseFrom(reply);
        } catch (InvalidProtocolBufferException e) {
            throw new IllegalStateException("a reply of " + path + " is not one", e);
        }
    }

    Ending ending(R reply) {
        StatusCode code = status.apply(reply);
        return code == StatusCode.SUCCESS
                ? Ending.SUCCESS
                : new Ending(
                        code.name(),
                        issues.apply(reply).stream()
                                .map(Method::text)
                                .collect(Collectors.joining("; ")));
    }

    private static String text(IssueMessage issue) {
        String inner =
                issue.getIssuesList().stream().map(Method::text).collect(Collectors.joining("; "));
        return inner.isEmpty() ? issue.getMessage() : issue.getMessage() + ": " + inner;
    }
}
