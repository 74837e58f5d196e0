package io.cleave.wire;

import io.cleave.base.Env;
import io.cleave.base.Issue;
import io.cleave.base.Status;
import io.cleave.base.StatusException;
import io.cleave.plan.Program;
import io.cleave.query.Cancellation;
import io.cleave.query.Compiled;
import io.cleave.query.Database;
import io.cleave.query.Explanation;
import io.cleave.query.Placement.NeedsThread;
import io.cleave.query.QueryRun;
import io.cleave.query.QueryText;
import io.cleave.query.ResultLimits;
import io.cleave.query.Results;
import io.cleave.query.RunSummary;
import io.cleave.query.Session;
import io.cleave.query.TxControl;
import io.cleave.txn.Isolation;
import io.cleave.value.Type;
import io.cleave.wire.Replies.Done;
import io.cleave.wire.value.MessageSets;
import io.cleave.wire.value.ProtoTypes;
import io.cleave.wire.value.RequestFields;
import io.cleave.wire.value.RequestParts;
import io.grpc.stub.StreamObserver;

import tech.ydb.proto.OperationProtos.Operation;
import tech.ydb.proto.StatusCodesProtos.StatusIds.StatusCode;
import tech.ydb.proto.ValueProtos;
import tech.ydb.proto.ValueProtos.ResultSet;
import tech.ydb.proto.YdbQueryStats.QueryStats;
import tech.ydb.proto.table.YdbTable.ExecuteDataQueryRequest;
import tech.ydb.proto.table.YdbTable.ExecuteDataQueryResponse;
import tech.ydb.proto.table.YdbTable.ExecuteQueryResult;
import tech.ydb.proto.table.YdbTable.ExecuteScanQueryPartialResponse;
import tech.ydb.proto.table.YdbTable.ExecuteScanQueryRequest;
import tech.ydb.proto.table.YdbTable.ExecuteSchemeQueryRequest;
import tech.ydb.proto.table.YdbTable.ExecuteSchemeQueryResponse;
import tech.ydb.proto.table.YdbTable.ExplainDataQueryRequest;
import tech.ydb.proto.table.YdbTable.ExplainDataQueryResponse;
import tech.ydb.proto.table.YdbTable.ExplainQueryResult;
import tech.ydb.proto.table.YdbTable.PrepareDataQueryRequest;
import tech.ydb.proto.table.YdbTable.PrepareDataQueryResponse;
import tech.ydb.proto.table.YdbTable.PrepareQueryResult;
import tech.ydb.proto.table.YdbTable.Query;
import tech.ydb.proto.table.YdbTable.QueryStatsCollection.Mode;

import java.util.HashMap;
import java.util.List;
import java.util.Map;

/// The queries of TableService: prepare, execute with one reply, explain, scan.
final class TableQueries {
    private final Database database;
    private final Requests requests;
    private final Env env;

    TableQueries(Database database, Requests requests) {
        this.database = database;
        this.requests = requests;
        this.env = requests.env();
    }

    void explain(
            ExplainDataQueryRequest request, StreamObserver<ExplainDataQueryResponse> replies) {
        requests.apart(
                replies,
                operation -> ExplainDataQueryResponse.newBuilder().setOperation(operation).build(),
                caller -> {
                    RequestFields.check(request);
                    Session session = caller.session(request.getSessionId());
                    session.touch();
                    Explanation explanation =
                            database.explain(
                                    session,
                                    QueryText.ofTableService(request.getYqlText(), Map.of()));
                    return Done.of(
                            ExplainQueryResult.newBuilder()
                                    .setQueryPlan(explanation.json())
                                    .setQueryAst(explanation.tree())
                                    .build(),
                            explanation.warnings());
                });
    }

    void prepare(
            PrepareDataQueryRequest request, StreamObserver<PrepareDataQueryResponse> replies) {
        requests.apart(
                replies,
                operation -> PrepareDataQueryResponse.newBuilder().setOperation(operation).build(),
                caller -> {
                    RequestFields.check(request);
                    Session session = caller.session(request.getSessionId());
                    session.touch();
                    QueryText text = QueryText.ofTableService(request.getYqlText(), Map.of());
                    Compiled compiled = database.compile(session, text);
                    return Done.of(
                            PrepareQueryResult.newBuilder()
                                    .setQueryId(database.prepared().add(request.getYqlText()))
                                    .putAllParametersTypes(types(compiled.program().parameters()))
                                    .build(),
                            compiled.program().warnings());
                });
    }

    @SuppressWarnings("CatchThrowable") // every request gets an answer
    void execute(
            ExecuteDataQueryRequest request, StreamObserver<ExecuteDataQueryResponse> replies) {
        try {
            Cancellation cancellation = requests.cancellation(request.getOperationParams());
            Requests.cancelWith(replies, cancellation);
            Session session = CallerHeaders.database().session(request.getSessionId());
            QueryText text =
                    QueryText.ofTableService(
                            text(request.getQuery()),
                            RequestParts.types(request.getParametersMap()));
            var query = new DataQuery(request, replies, session, text, cancellation);
            query.submit(database, session, text, query.control);
        } catch (Throwable thrown) {
            Requests.send(replies, response(Replies.failed(Failure.of(thrown))));
        }
    }

    private static ExecuteDataQueryResponse response(Operation operation) {
        return ExecuteDataQueryResponse.newBuilder().setOperation(operation).build();
    }

    void executeScheme(
            ExecuteSchemeQueryRequest request, StreamObserver<ExecuteSchemeQueryResponse> replies) {
        requests.apart(
                replies,
                operation ->
                        ExecuteSchemeQueryResponse.newBuilder().setOperation(operation).build(),
                caller -> {
                    RequestFields.check(request);
                    Session session = caller.session(request.getSessionId());
                    QueryText text = QueryText.ofTableService(request.getYqlText(), Map.of());
                    if (!database.changesScheme(session, text)) {
                        throw wrongMode();
                    }
                    QueryRun run =
                            new QueryRun(
                                    TxControl.IMPLICIT,
                                    Map.of(),
                                    ResultLimits.NONE,
                                    requests.cancellation(request.getOperationParams()));
                    RunSummary summary = database.run(session, text, run, new NoResults());
                    return Done.saying(summary.issues());
                });
    }

    void scan(
            ExecuteScanQueryRequest request,
            StreamObserver<ExecuteScanQueryPartialResponse> replies) {
        Cancellation cancellation = Cancellation.ofScan(env);
        StreamedCall.run(
                requests,
                replies,
                cancellation,
                Replies.failing(ExecuteScanQueryPartialResponse.getDefaultInstance()),
                (caller, stream) -> scan(caller.newSession(), request, cancellation, stream));
    }

    private void scan(
            Session session,
            ExecuteScanQueryRequest request,
            Cancellation cancellation,
            ReplyStream<ExecuteScanQueryPartialResponse> stream) {
        RequestFields.check(request);
        Map<String, Type> types = RequestParts.types(request.getParametersMap());
        QueryText text = QueryText.ofTableService(text(request.getQuery()), types);
        Compiled compiled = database.compile(session, text);
        if (compiled.program().kind() == Program.Kind.SCHEME) {
            throw wrongMode();
        }
        if (compiled.program().kind() == Program.Kind.WRITE
                || compiled.program().results().size() != 1) {
            throw RequestParts.bad("Scan query should have a single result set");
        }
        var last = ExecuteScanQueryPartialResponse.newBuilder().setStatus(StatusCode.SUCCESS);
        switch (request.getMode()) {
            case MODE_EXPLAIN ->
                    last.getResultBuilder()
                            .setQueryStats(StatsProtos.explanation(database.explain(compiled)));
            case MODE_EXEC -> {
                QueryRun run =
                        new QueryRun(
                                TxControl.auto(Isolation.SNAPSHOT_READ_ONLY),
                                RequestParts.parameters(request.getParametersMap(), types),
                                ResultLimits.NONE,
                                cancellation);
                PartedResults<ResultSet> results =
                        new PartedResults<>(
                                new MessageSets(),
                                (_, _, set) -> stream.send(part(set)),
                                stream,
                                PartedResults.DEFAULT_PART_BYTES,
                                true);
                RunSummary summary = database.run(session, text, run, results);
                last.addAllIssues(Replies.issues(summary.issues()));
                ResultSet rest = results.finish();
                if (rest != null) {
                    last.getResultBuilder().setResultSet(rest);
                }
                if (wantsStats(request.getCollectStatsValue())) {
                    last.getResultBuilder()
                            .setQueryStats(stats(summary, request.getCollectStatsValue()));
                }
            }
            default -> throw RequestParts.bad("Unexpected query mode: it must be EXEC or EXPLAIN");
        }
        stream.send(last.build());
    }

    private static ExecuteScanQueryPartialResponse part(ResultSet set) {
        var part = ExecuteScanQueryPartialResponse.newBuilder().setStatus(StatusCode.SUCCESS);
        part.getResultBuilder().setResultSet(set);
        return part.build();
    }

    private String text(Query query) {
        return switch (query.getQueryCase()) {
            case YQL_TEXT -> query.getYqlText();
            case ID -> database.prepared().text(query.getId());
            case QUERY_NOT_SET -> throw RequestParts.bad("Query is not set");
        };
    }

    private static Map<String, ValueProtos.Type> types(Map<String, Type> parameters) {
        Map<String, ValueProtos.Type> types = new HashMap<>();
        parameters.forEach((name, type) -> types.put(name, ProtoTypes.toProto(type)));
        return types;
    }

    private static StatusException wrongMode() {
        return new StatusException(
                Status.GENERIC_ERROR,
                "Operation is not supported in current execution mode, check query type. ");
    }

    private static boolean wantsStats(int mode) {
        return mode >= Mode.STATS_COLLECTION_BASIC_VALUE;
    }

    private QueryStats stats(RunSummary summary, int mode) {
        return mode >= Mode.STATS_COLLECTION_FULL_VALUE
                ? StatsProtos.of(summary, database.explain(summary.compiled()))
                : StatsProtos.of(summary);
    }

    /// One ExecuteDataQuery call.
    private final class DataQuery extends SubmittedQuery {
        private final ExecuteDataQueryRequest request;
        private final StreamObserver<ExecuteDataQueryResponse> replies;
        private final Session session;
        private final QueryText text;
        private final TxControl control;
        private final Cancellation cancellation;

        /// The results of a run on the connection's thread.
        private CollectedResults few = CollectedResults.ofFewRows();

        /// The id of the text among the prepared ones; empty while it was not asked for.
        private String preparedId = "";

        DataQuery(
                ExecuteDataQueryRequest request,
                StreamObserver<ExecuteDataQueryResponse> replies,
                Session session,
                QueryText text,
                Cancellation cancellation) {
            super(requests);
            this.request = request;
            this.replies = replies;
            this.session = session;
            this.text = text;
            this.control = TxSettings.control(request.getTxControl());
            this.cancellation = cancellation;
        }

        @Override
        public QueryRun run() {
            return new QueryRun(
                    control,
                    RequestParts.parameters(request.getParametersMap(), text.sentTypes()),
                    ResultLimits.DATA_QUERY,
                    cancellation);
        }

        @Override
        public Results fewResults() {
            few = CollectedResults.ofFewRows();
            return few;
        }

        /// Full statistics contain the plan as text, which takes long to make.
        @Override
        boolean prepareLater() {
            if (request.getCollectStatsValue() >= Mode.STATS_COLLECTION_FULL_VALUE) {
                return false;
            }
            prepareText();
            return true;
        }

        @Override
        void answer(RunSummary summary) {
            Requests.send(replies, response(Replies.succeeded(done(summary, few))));
        }

        @Override
        void fail(Failure failure) {
            Requests.send(replies, response(Replies.failed(failure)));
        }

        @Override
        void cutOff(Throwable why) {
            replies.onError(why);
        }

        @Override
        Runnable apart(NeedsThread query) {
            return () ->
                    Requests.send(replies, response(Requests.operation(() -> runApart(query))));
        }

        private Done runApart(NeedsThread query) {
            try (var results = new CollectedResults(requests.memoryOfResult(cancellation))) {
                return done(database.run(session, query, run(), results), results);
            }
        }

        private Done done(RunSummary summary, CollectedResults results) {
            var result = ExecuteQueryResult.newBuilder().addAllResultSets(results.sets());
            result.getTxMetaBuilder().setId(results.txId());
            prepareText();
            if (!preparedId.isEmpty()) {
                result.getQueryMetaBuilder()
                        .setId(preparedId)
                        .putAllParametersTypes(types(summary.compiled().program().parameters()));
            }
            List<Issue> issues = summary.issues();
            if (wantsStats(request.getCollectStatsValue())) {
                result.setQueryStats(stats(summary, request.getCollectStatsValue()));
                issues = summary.issuesWithStaleness();
            }
            return Done.of(result.build(), issues);
        }

        private void prepareText() {
            if (preparedId.isEmpty()
                    && request.getQueryCachePolicy().getKeepInCache()
                    && request.getQuery().hasYqlText()) {
                preparedId = database.prepared().add(request.getQuery().getYqlText());
            }
        }
    }
}
