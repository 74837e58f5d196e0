package io.cleave.wire;

import io.cleave.base.Env;
import io.cleave.query.CallerDatabase;
import io.cleave.query.Cancellation;
import io.cleave.query.Database;
import io.cleave.query.KeyBounds;
import io.cleave.query.Session;
import io.cleave.query.TableRows;
import io.cleave.query.TableRows.RangeRead;
import io.cleave.wire.Replies.Done;
import io.cleave.wire.value.MessageSets;
import io.cleave.wire.value.RequestFields;
import io.cleave.wire.value.RequestParts;
import io.grpc.stub.StreamObserver;

import tech.ydb.proto.StatusCodesProtos.StatusIds.StatusCode;
import tech.ydb.proto.ValueProtos;
import tech.ydb.proto.ValueProtos.ResultSet;
import tech.ydb.proto.common.CommonProtos.FeatureFlag;
import tech.ydb.proto.table.YdbTable.BulkUpsertRequest;
import tech.ydb.proto.table.YdbTable.BulkUpsertResponse;
import tech.ydb.proto.table.YdbTable.BulkUpsertResult;
import tech.ydb.proto.table.YdbTable.KeyRange;
import tech.ydb.proto.table.YdbTable.ReadRowsRequest;
import tech.ydb.proto.table.YdbTable.ReadRowsResponse;
import tech.ydb.proto.table.YdbTable.ReadTableRequest;
import tech.ydb.proto.table.YdbTable.ReadTableResponse;

import java.util.Optional;
import java.util.function.Function;

/// Row access without a query text: ReadRows, StreamReadTable, BulkUpsert.
final class TableReads {
    /// Lookups of at most this many keys are answered on the connection's thread.
    private static final int FEW_KEYS = 16;

    private final Database database;
    private final Requests requests;
    private final Env env;

    TableReads(Database database, Requests requests) {
        this.database = database;
        this.requests = requests;
        this.env = requests.env();
    }

    void readRows(ReadRowsRequest request, StreamObserver<ReadRowsResponse> replies) {
        Cancellation cancellation = Cancellation.byDefault(env);
        Requests.cancelWith(replies, cancellation);
        Function<Failure, ReadRowsResponse> failed =
                Replies.failing(ReadRowsResponse.getDefaultInstance());
        if (request.getKeys().getValue().getItemsCount() <= FEW_KEYS) {
            requests.plainHereOrApart(
                    replies,
                    failed,
                    caller -> lookupHere(caller, request, cancellation),
                    caller -> lookup(caller, request, cancellation));
        } else {
            requests.plainApart(replies, failed, caller -> lookup(caller, request, cancellation));
        }
    }

    /// Empty if the rows are so long that the call would have to wait for memory.
    private Optional<ReadRowsResponse> lookupHere(
            CallerDatabase caller, ReadRowsRequest request, Cancellation cancellation) {
        ResultMemory memory = requests.memoryOfResult(cancellation);
        try (var results = CollectedResults.withoutWaiting(memory)) {
            return Optional.of(
                    lookup(rows(caller, request.getSessionId()), request, cancellation, results));
        } catch (CollectedResults.NoRoom _) {
            return Optional.empty();
        }
    }

    private ReadRowsResponse lookup(
            CallerDatabase caller, ReadRowsRequest request, Cancellation cancellation) {
        try (var results = new CollectedResults(requests.memoryOfResult(cancellation))) {
            return lookup(rows(caller, request.getSessionId()), request, cancellation, results);
        }
    }

    private ReadRowsResponse lookup(
            TableRows rows,
            ReadRowsRequest request,
            Cancellation cancellation,
            CollectedResults results) {
        rows.lookup(
                path(request.getPath()),
                RequestParts.typedValue(request.getKeys(), "keys"),
                request.getColumnsList(),
                cancellation,
                results);
        return ReadRowsResponse.newBuilder()
                .setStatus(StatusCode.SUCCESS)
                .setResultSet(results.sets().getFirst())
                .build();
    }

    void readTable(ReadTableRequest request, StreamObserver<ReadTableResponse> replies) {
        Cancellation cancellation = Cancellation.ofScan(env);
        StreamedCall.run(
                requests,
                replies,
                cancellation,
                Replies.failing(ReadTableResponse.getDefaultInstance()),
                (caller, stream) ->
                        readTable(
                                rows(caller, request.getSessionId()),
                                request,
                                cancellation,
                                stream));
    }

    private void readTable(
            TableRows rows,
            ReadTableRequest request,
            Cancellation cancellation,
            ReplyStream<ReadTableResponse> stream) {
        PartedResults<ResultSet> results =
                new PartedResults<>(
                        new MessageSets(),
                        (_, _, set) -> stream.send(part(set)),
                        stream,
                        limit(request.getBatchLimitBytes(), PartedResults.DEFAULT_PART_BYTES),
                        limit(request.getBatchLimitRows(), Long.MAX_VALUE),
                        true);
        if (request.getRowLimit() < 0) {
            throw RequestParts.bad("row_limit must not be negative");
        }
        boolean notNullAsOptional =
                request.getReturnNotNullDataAsOptional() == FeatureFlag.Status.ENABLED;
        rows.read(
                new RangeRead(
                        path(request.getPath()),
                        bounds(request.getKeyRange()),
                        request.getColumnsList(),
                        request.getRowLimit(),
                        notNullAsOptional),
                cancellation,
                results);
        ResultSet rest = results.finish();
        if (rest != null) {
            stream.send(part(rest));
        }
    }

    /// A limit from the client, unsigned, can only lower the server's limit. 0 means no limit.
    private static long limit(long sent, long most) {
        return sent == 0 || Long.compareUnsigned(sent, most) > 0 ? most : sent;
    }

    private static ReadTableResponse part(ResultSet set) {
        var part = ReadTableResponse.newBuilder().setStatus(StatusCode.SUCCESS);
        part.getResultBuilder().setResultSet(set);
        return part.build();
    }

    private static KeyBounds bounds(KeyRange range) {
        var from =
                switch (range.getFromBoundCase()) {
                    case GREATER -> bound(range.getGreater(), false);
                    case GREATER_OR_EQUAL -> bound(range.getGreaterOrEqual(), true);
                    case FROMBOUND_NOT_SET -> Optional.<KeyBounds.Bound>empty();
                };
        var to =
                switch (range.getToBoundCase()) {
                    case LESS -> bound(range.getLess(), false);
                    case LESS_OR_EQUAL -> bound(range.getLessOrEqual(), true);
                    case TOBOUND_NOT_SET -> Optional.<KeyBounds.Bound>empty();
                };
        return new KeyBounds(from, to);
    }

    private static Optional<KeyBounds.Bound> bound(
            ValueProtos.TypedValue tuple, boolean inclusive) {
        return Optional.of(
                new KeyBounds.Bound(RequestParts.typedValue(tuple, "key_range"), inclusive));
    }

    void bulkUpsert(BulkUpsertRequest request, StreamObserver<BulkUpsertResponse> replies) {
        requests.apart(
                replies,
                operation -> BulkUpsertResponse.newBuilder().setOperation(operation).build(),
                caller -> {
                    switch (request.getDataFormatCase()) {
                        case ARROW_BATCH_SETTINGS ->
                                throw RequestParts.unsupported("BulkUpsert of Arrow batches");
                        case CSV_SETTINGS -> throw RequestParts.unsupported("BulkUpsert of CSV");
                        case DATAFORMAT_NOT_SET -> {}
                    }
                    RequestFields.check(request);
                    caller.rows()
                            .bulkUpsert(
                                    path(request.getTable()), RequestParts.rows(request.getRows()));
                    return Done.of(BulkUpsertResult.getDefaultInstance());
                });
    }

    /// These calls need no session. If one is named, it must exist, and the rows are read as that
    /// session sees them.
    private static TableRows rows(CallerDatabase caller, String sessionId) {
        if (sessionId.isEmpty()) {
            return caller.rows();
        }
        Session session = caller.session(sessionId);
        session.touch();
        return caller.rows().of(session);
    }

    private String path(String sent) {
        return RequestParts.path(sent, database.path());
    }
}
