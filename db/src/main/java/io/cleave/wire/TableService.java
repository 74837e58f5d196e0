package io.cleave.wire;

import io.cleave.query.Database;
import io.grpc.stub.StreamObserver;

import tech.ydb.proto.table.YdbTable.AlterTableRequest;
import tech.ydb.proto.table.YdbTable.AlterTableResponse;
import tech.ydb.proto.table.YdbTable.BeginTransactionRequest;
import tech.ydb.proto.table.YdbTable.BeginTransactionResponse;
import tech.ydb.proto.table.YdbTable.BulkUpsertRequest;
import tech.ydb.proto.table.YdbTable.BulkUpsertResponse;
import tech.ydb.proto.table.YdbTable.CommitTransactionRequest;
import tech.ydb.proto.table.YdbTable.CommitTransactionResponse;
import tech.ydb.proto.table.YdbTable.CopyTableRequest;
import tech.ydb.proto.table.YdbTable.CopyTableResponse;
import tech.ydb.proto.table.YdbTable.CopyTablesRequest;
import tech.ydb.proto.table.YdbTable.CopyTablesResponse;
import tech.ydb.proto.table.YdbTable.CreateSessionRequest;
import tech.ydb.proto.table.YdbTable.CreateSessionResponse;
import tech.ydb.proto.table.YdbTable.CreateTableRequest;
import tech.ydb.proto.table.YdbTable.CreateTableResponse;
import tech.ydb.proto.table.YdbTable.DeleteSessionRequest;
import tech.ydb.proto.table.YdbTable.DeleteSessionResponse;
import tech.ydb.proto.table.YdbTable.DescribeTableOptionsRequest;
import tech.ydb.proto.table.YdbTable.DescribeTableOptionsResponse;
import tech.ydb.proto.table.YdbTable.DescribeTableRequest;
import tech.ydb.proto.table.YdbTable.DescribeTableResponse;
import tech.ydb.proto.table.YdbTable.DropTableRequest;
import tech.ydb.proto.table.YdbTable.DropTableResponse;
import tech.ydb.proto.table.YdbTable.ExecuteDataQueryRequest;
import tech.ydb.proto.table.YdbTable.ExecuteDataQueryResponse;
import tech.ydb.proto.table.YdbTable.ExecuteScanQueryPartialResponse;
import tech.ydb.proto.table.YdbTable.ExecuteScanQueryRequest;
import tech.ydb.proto.table.YdbTable.ExecuteSchemeQueryRequest;
import tech.ydb.proto.table.YdbTable.ExecuteSchemeQueryResponse;
import tech.ydb.proto.table.YdbTable.ExplainDataQueryRequest;
import tech.ydb.proto.table.YdbTable.ExplainDataQueryResponse;
import tech.ydb.proto.table.YdbTable.KeepAliveRequest;
import tech.ydb.proto.table.YdbTable.KeepAliveResponse;
import tech.ydb.proto.table.YdbTable.PrepareDataQueryRequest;
import tech.ydb.proto.table.YdbTable.PrepareDataQueryResponse;
import tech.ydb.proto.table.YdbTable.ReadRowsRequest;
import tech.ydb.proto.table.YdbTable.ReadRowsResponse;
import tech.ydb.proto.table.YdbTable.ReadTableRequest;
import tech.ydb.proto.table.YdbTable.ReadTableResponse;
import tech.ydb.proto.table.YdbTable.RenameTablesRequest;
import tech.ydb.proto.table.YdbTable.RenameTablesResponse;
import tech.ydb.proto.table.YdbTable.RollbackTransactionRequest;
import tech.ydb.proto.table.YdbTable.RollbackTransactionResponse;
import tech.ydb.proto.table.v1.TableServiceGrpc.TableServiceImplBase;

/// Dispatches the calls of TableService to one class per subject: [TableSessions], [TableSchemes],
/// [TableQueries] and [TableReads].
final class TableService extends TableServiceImplBase {
    private final TableSessions sessions;
    private final TableSchemes schemes;
    private final TableQueries queries;
    private final TableReads reads;

    TableService(Database database, Requests requests) {
        this.sessions = new TableSessions(database, requests);
        this.schemes = new TableSchemes(database, requests);
        this.queries = new TableQueries(database, requests);
        this.reads = new TableReads(database, requests);
    }

    @Override
    public void createSession(
            CreateSessionRequest request, StreamObserver<CreateSessionResponse> replies) {
        sessions.create(replies);
    }

    @Override
    public void deleteSession(
            DeleteSessionRequest request, StreamObserver<DeleteSessionResponse> replies) {
        sessions.delete(request, replies);
    }

    @Override
    public void keepAlive(KeepAliveRequest request, StreamObserver<KeepAliveResponse> replies) {
        sessions.keepAlive(request, replies);
    }

    @Override
    public void beginTransaction(
            BeginTransactionRequest request, StreamObserver<BeginTransactionResponse> replies) {
        sessions.begin(request, replies);
    }

    @Override
    public void commitTransaction(
            CommitTransactionRequest request, StreamObserver<CommitTransactionResponse> replies) {
        sessions.commit(request, replies);
    }

    @Override
    public void rollbackTransaction(
            RollbackTransactionRequest request,
            StreamObserver<RollbackTransactionResponse> replies) {
        sessions.rollback(request, replies);
    }

    @Override
    public void createTable(
            CreateTableRequest request, StreamObserver<CreateTableResponse> replies) {
        schemes.create(request, replies);
    }

    @Override
    public void dropTable(DropTableRequest request, StreamObserver<DropTableResponse> replies) {
        schemes.drop(request, replies);
    }

    @Override
    public void alterTable(AlterTableRequest request, StreamObserver<AlterTableResponse> replies) {
        schemes.alter(request, replies);
    }

    @Override
    public void copyTable(CopyTableRequest request, StreamObserver<CopyTableResponse> replies) {
        schemes.copy(request, replies);
    }

    @Override
    public void copyTables(CopyTablesRequest request, StreamObserver<CopyTablesResponse> replies) {
        schemes.copyAll(request, replies);
    }

    @Override
    public void renameTables(
            RenameTablesRequest request, StreamObserver<RenameTablesResponse> replies) {
        schemes.rename(request, replies);
    }

    @Override
    public void describeTable(
            DescribeTableRequest request, StreamObserver<DescribeTableResponse> replies) {
        schemes.describe(request, replies);
    }

    @Override
    public void describeTableOptions(
            DescribeTableOptionsRequest request,
            StreamObserver<DescribeTableOptionsResponse> replies) {
        schemes.describeOptions(replies);
    }

    @Override
    public void explainDataQuery(
            ExplainDataQueryRequest request, StreamObserver<ExplainDataQueryResponse> replies) {
        queries.explain(request, replies);
    }

    @Override
    public void prepareDataQuery(
            PrepareDataQueryRequest request, StreamObserver<PrepareDataQueryResponse> replies) {
        queries.prepare(request, replies);
    }

    @Override
    public void executeDataQuery(
            ExecuteDataQueryRequest request, StreamObserver<ExecuteDataQueryResponse> replies) {
        queries.execute(request, replies);
    }

    @Override
    public void executeSchemeQuery(
            ExecuteSchemeQueryRequest request, StreamObserver<ExecuteSchemeQueryResponse> replies) {
        queries.executeScheme(request, replies);
    }

    @Override
    public void streamExecuteScanQuery(
            ExecuteScanQueryRequest request,
            StreamObserver<ExecuteScanQueryPartialResponse> replies) {
        queries.scan(request, replies);
    }

    @Override
    public void streamReadTable(
            ReadTableRequest request, StreamObserver<ReadTableResponse> replies) {
        reads.readTable(request, replies);
    }

    @Override
    public void readRows(ReadRowsRequest request, StreamObserver<ReadRowsResponse> replies) {
        reads.readRows(request, replies);
    }

    @Override
    public void bulkUpsert(BulkUpsertRequest request, StreamObserver<BulkUpsertResponse> replies) {
        reads.bulkUpsert(request, replies);
    }
}
