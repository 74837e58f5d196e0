package io.cleave.wire;

import io.cleave.query.Database;
import io.cleave.query.Session;
import io.cleave.wire.Replies.Done;
import io.grpc.stub.StreamObserver;

import tech.ydb.proto.table.YdbTable.BeginTransactionRequest;
import tech.ydb.proto.table.YdbTable.BeginTransactionResponse;
import tech.ydb.proto.table.YdbTable.BeginTransactionResult;
import tech.ydb.proto.table.YdbTable.CommitTransactionRequest;
import tech.ydb.proto.table.YdbTable.CommitTransactionResponse;
import tech.ydb.proto.table.YdbTable.CommitTransactionResult;
import tech.ydb.proto.table.YdbTable.CreateSessionResponse;
import tech.ydb.proto.table.YdbTable.CreateSessionResult;
import tech.ydb.proto.table.YdbTable.DeleteSessionRequest;
import tech.ydb.proto.table.YdbTable.DeleteSessionResponse;
import tech.ydb.proto.table.YdbTable.KeepAliveRequest;
import tech.ydb.proto.table.YdbTable.KeepAliveResponse;
import tech.ydb.proto.table.YdbTable.KeepAliveResult;
import tech.ydb.proto.table.YdbTable.RollbackTransactionRequest;
import tech.ydb.proto.table.YdbTable.RollbackTransactionResponse;
import tech.ydb.proto.table.YdbTable.TransactionMeta;

/// Sessions and transactions of TableService. A session expires when it is idle, unless the client
/// keeps it alive.
final class TableSessions {
    private final Database database;
    private final Requests requests;

    TableSessions(Database database, Requests requests) {
        this.database = database;
        this.requests = requests;
    }

    void create(StreamObserver<CreateSessionResponse> replies) {
        requests.here(
                replies,
                operation -> CreateSessionResponse.newBuilder().setOperation(operation).build(),
                caller ->
                        Done.of(
                                CreateSessionResult.newBuilder()
                                        .setSessionId(
                                                caller.openSession(CallerHeaders.client()).id())
                                        .build()));
    }

    void delete(DeleteSessionRequest request, StreamObserver<DeleteSessionResponse> replies) {
        requests.apart(
                replies,
                operation -> DeleteSessionResponse.newBuilder().setOperation(operation).build(),
                caller -> {
                    caller.closeSession(request.getSessionId());
                    return Done.NOTHING;
                });
    }

    void keepAlive(KeepAliveRequest request, StreamObserver<KeepAliveResponse> replies) {
        requests.here(
                replies,
                operation -> KeepAliveResponse.newBuilder().setOperation(operation).build(),
                caller -> {
                    Session session = caller.session(request.getSessionId());
                    session.touch();
                    var status =
                            session.isBusy()
                                    ? KeepAliveResult.SessionStatus.SESSION_STATUS_BUSY
                                    : KeepAliveResult.SessionStatus.SESSION_STATUS_READY;
                    return Done.of(KeepAliveResult.newBuilder().setSessionStatus(status).build());
                });
    }

    void begin(BeginTransactionRequest request, StreamObserver<BeginTransactionResponse> replies) {
        requests.here(
                replies,
                operation -> BeginTransactionResponse.newBuilder().setOperation(operation).build(),
                caller -> {
                    Session session = caller.session(request.getSessionId());
                    String txId =
                            database.begin(session, TxSettings.isolation(request.getTxSettings()));
                    return Done.of(
                            BeginTransactionResult.newBuilder()
                                    .setTxMeta(TransactionMeta.newBuilder().setId(txId))
                                    .build());
                });
    }

    void commit(
            CommitTransactionRequest request, StreamObserver<CommitTransactionResponse> replies) {
        requests.apart(
                replies,
                operation -> CommitTransactionResponse.newBuilder().setOperation(operation).build(),
                caller -> {
                    Session session = caller.session(request.getSessionId());
                    database.commit(session, request.getTxId());
                    return Done.of(CommitTransactionResult.getDefaultInstance());
                });
    }

    void rollback(
            RollbackTransactionRequest request,
            StreamObserver<RollbackTransactionResponse> replies) {
        requests.here(
                replies,
                operation ->
                        RollbackTransactionResponse.newBuilder().setOperation(operation).build(),
                caller -> {
                    Session session = caller.session(request.getSessionId());
                    database.rollback(session, request.getTxId());
                    return Done.NOTHING;
                });
    }
}
