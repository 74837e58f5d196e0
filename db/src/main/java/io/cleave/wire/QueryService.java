package io.cleave.wire;

import io.cleave.query.Database;
import io.cleave.query.Session;
import io.cleave.wire.value.EncodedPart;
import io.grpc.ServerMethodDefinition;
import io.grpc.ServerServiceDefinition;
import io.grpc.stub.ServerCallStreamObserver;
import io.grpc.stub.ServerCalls;
import io.grpc.stub.StreamObserver;

import tech.ydb.proto.OperationProtos.Operation;
import tech.ydb.proto.StatusCodesProtos.StatusIds.StatusCode;
import tech.ydb.proto.query.YdbQuery.AttachSessionRequest;
import tech.ydb.proto.query.YdbQuery.BeginTransactionRequest;
import tech.ydb.proto.query.YdbQuery.BeginTransactionResponse;
import tech.ydb.proto.query.YdbQuery.CommitTransactionRequest;
import tech.ydb.proto.query.YdbQuery.CommitTransactionResponse;
import tech.ydb.proto.query.YdbQuery.CreateSessionRequest;
import tech.ydb.proto.query.YdbQuery.CreateSessionResponse;
import tech.ydb.proto.query.YdbQuery.DeleteSessionRequest;
import tech.ydb.proto.query.YdbQuery.DeleteSessionResponse;
import tech.ydb.proto.query.YdbQuery.ExecuteScriptRequest;
import tech.ydb.proto.query.YdbQuery.FetchScriptResultsRequest;
import tech.ydb.proto.query.YdbQuery.FetchScriptResultsResponse;
import tech.ydb.proto.query.YdbQuery.RollbackTransactionRequest;
import tech.ydb.proto.query.YdbQuery.RollbackTransactionResponse;
import tech.ydb.proto.query.YdbQuery.SessionState;
import tech.ydb.proto.query.YdbQuery.TransactionMeta;
import tech.ydb.proto.query.v1.QueryServiceGrpc;
import tech.ydb.proto.query.v1.QueryServiceGrpc.QueryServiceImplBase;

/// QueryService, the API that current clients prefer: queries, transactions, and sessions that live
/// as long as their attach stream.
final class QueryService extends QueryServiceImplBase {
    private final Database database;
    private final Requests requests;
    private final QueryExecution execution;
    private final Scripts scripts;

    QueryService(Database database, Requests requests, Scripts scripts) {
        this.database = database;
        this.requests = requests;
        this.execution = new QueryExecution(database, requests);
        this.scripts = scripts;
    }

    @Override
    public void createSession(
            CreateSessionRequest request, StreamObserver<CreateSessionResponse> replies) {
        requests.plainHere(
                replies,
                Replies.failing(CreateSessionResponse.getDefaultInstance()),
                caller ->
                        CreateSessionResponse.newBuilder()
                                .setStatus(StatusCode.SUCCESS)
                                .setSessionId(caller.openSession(CallerHeaders.client()).id())
                                .setNodeId(database.nodeId())
                                .build());
    }

    @Override
    public void deleteSession(
            DeleteSessionRequest request, StreamObserver<DeleteSessionResponse> replies) {
        requests.plainApart(
                replies,
                Replies.failing(DeleteSessionResponse.getDefaultInstance()),
                caller -> {
                    caller.closeSession(request.getSessionId());
                    return DeleteSessionResponse.newBuilder().setStatus(StatusCode.SUCCESS).build();
                });
    }

    /// Binds the session's life to this stream: if the stream breaks, the session is closed; if the
    /// session is closed, the stream ends.
    @Override
    public void attachSession(AttachSessionRequest request, StreamObserver<SessionState> replies) {
        Session session;
        try {
            session = CallerHeaders.database().session(request.getSessionId());
        } catch (RuntimeException thrown) {
            Failure failure = Failure.of(thrown);
            replies.onNext(Replies.failed(SessionState.getDefaultInstance(), failure));
            replies.onCompleted();
            return;
        }
        ((ServerCallStreamObserver<SessionState>) replies)
                .setOnCancelHandler(() -> database.sessions().closeIfOpen(session));
        replies.onNext(SessionState.newBuilder().setStatus(StatusCode.SUCCESS).build());
        session.attach(replies::onCompleted);
    }

    @Override
    public void beginTransaction(
            BeginTransactionRequest request, StreamObserver<BeginTransactionResponse> replies) {
        requests.plainHere(
                replies,
                Replies.failing(BeginTransactionResponse.getDefaultInstance()),
                caller -> {
                    Session session = caller.session(request.getSessionId());
                    String txId =
                            database.begin(session, TxSettings.isolation(request.getTxSettings()));
                    return BeginTransactionResponse.newBuilder()
                            .setStatus(StatusCode.SUCCESS)
                            .setTxMeta(TransactionMeta.newBuilder().setId(txId))
                            .build();
                });
    }

    @Override
    public void commitTransaction(
            CommitTransactionRequest request, StreamObserver<CommitTransactionResponse> replies) {
        requests.plainApart(
                replies,
                Replies.failing(CommitTransactionResponse.getDefaultInstance()),
                caller -> {
                    Session session = caller.session(request.getSessionId());
                    database.commit(session, request.getTxId());
                    return CommitTransactionResponse.newBuilder()
                            .setStatus(StatusCode.SUCCESS)
                            .build();
                });
    }

    @Override
    public void rollbackTransaction(
            RollbackTransactionRequest request,
            StreamObserver<RollbackTransactionResponse> replies) {
        requests.plainHere(
                replies,
                Replies.failing(RollbackTransactionResponse.getDefaultInstance()),
                caller -> {
                    Session session = caller.session(request.getSessionId());
                    database.rollback(session, request.getTxId());
                    return RollbackTransactionResponse.newBuilder()
                            .setStatus(StatusCode.SUCCESS)
                            .build();
                });
    }

    /// The service, with ExecuteQuery replies that are bytes already.
    ServerServiceDefinition bound() {
        ServerServiceDefinition whole = bindService();
        var executeQuery =
                QueryServiceGrpc.getExecuteQueryMethod().toBuilder(
                                QueryServiceGrpc.getExecuteQueryMethod().getRequestMarshaller(),
                                EncodedPart.MARSHALLER)
                        .build();
        var bound = ServerServiceDefinition.builder(QueryServiceGrpc.SERVICE_NAME);
        for (ServerMethodDefinition<?, ?> method : whole.getMethods()) {
            String name = method.getMethodDescriptor().getFullMethodName();
            if (!name.equals(executeQuery.getFullMethodName())) {
                bound.addMethod(method);
            }
        }
        return bound.addMethod(executeQuery, ServerCalls.asyncServerStreamingCall(execution::start))
                .build();
    }

    @Override
    public void executeScript(ExecuteScriptRequest request, StreamObserver<Operation> replies) {
        requests.plainHere(replies, Replies::failed, caller -> scripts.start(caller, request));
    }

    @Override
    public void fetchScriptResults(
            FetchScriptResultsRequest request, StreamObserver<FetchScriptResultsResponse> replies) {
        requests.plainApart(
                replies,
                Replies.failing(FetchScriptResultsResponse.getDefaultInstance()),
                _ -> scripts.fetch(request));
    }
}
