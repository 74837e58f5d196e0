package io.cleave.wire;

import io.cleave.query.Cancellation;
import io.cleave.query.Database;
import io.cleave.query.Explanation;
import io.cleave.query.QueryRun;
import io.cleave.query.QueryText;
import io.cleave.query.ResultLimits;
import io.cleave.query.RunSummary;
import io.cleave.query.Session;
import io.cleave.query.TxControl;
import io.cleave.wire.Replies.Done;
import io.cleave.wire.value.MessageSets;
import io.cleave.wire.value.ProtoTypes;
import io.cleave.wire.value.RequestFields;
import io.cleave.wire.value.RequestParts;
import io.grpc.stub.StreamObserver;

import tech.ydb.proto.StatusCodesProtos.StatusIds.StatusCode;
import tech.ydb.proto.ValueProtos.ResultSet;
import tech.ydb.proto.YdbQueryStats.QueryStats;
import tech.ydb.proto.scripting.ScriptingProtos.ExecuteYqlPartialResponse;
import tech.ydb.proto.scripting.ScriptingProtos.ExecuteYqlRequest;
import tech.ydb.proto.scripting.ScriptingProtos.ExecuteYqlResponse;
import tech.ydb.proto.scripting.ScriptingProtos.ExecuteYqlResult;
import tech.ydb.proto.scripting.ScriptingProtos.ExplainYqlRequest;
import tech.ydb.proto.scripting.ScriptingProtos.ExplainYqlResponse;
import tech.ydb.proto.scripting.ScriptingProtos.ExplainYqlResult;
import tech.ydb.proto.scripting.v1.ScriptingServiceGrpc.ScriptingServiceImplBase;
import tech.ydb.proto.table.YdbTable.QueryStatsCollection.Mode;

import java.util.Map;

/// The older API that runs a text without a session. The text may be a script with COMMIT, and with
/// statements on both data and schema.
final class ScriptingService extends ScriptingServiceImplBase {
    private final Database database;
    private final Requests requests;

    ScriptingService(Database database, Requests requests) {
        this.database = database;
        this.requests = requests;
    }

    @Override
    public void executeYql(ExecuteYqlRequest request, StreamObserver<ExecuteYqlResponse> replies) {
        Cancellation cancellation = requests.cancellation(request.getOperationParams());
        Requests.cancelWith(replies, cancellation);
        requests.apart(
                replies,
                operation -> ExecuteYqlResponse.newBuilder().setOperation(operation).build(),
                caller -> execute(caller.newSession(), request, cancellation));
    }

    private Done execute(Session session, ExecuteYqlRequest request, Cancellation cancellation) {
        try (var results = new CollectedResults(requests.memoryOfResult(cancellation))) {
            RequestFields.check(request);
            QueryText text = text(request);
            QueryRun run = run(request, text, ResultLimits.DATA_QUERY, cancellation);
            RunSummary summary = database.runScript(session, text, run, results);
            var result = ExecuteYqlResult.newBuilder().addAllResultSets(results.sets());
            if (request.getCollectStatsValue() >= Mode.STATS_COLLECTION_BASIC_VALUE) {
                result.setQueryStats(stats(request, summary));
            }
            return Done.of(result.build(), summary.issues());
        }
    }

    @Override
    public void streamExecuteYql(
            ExecuteYqlRequest request, StreamObserver<ExecuteYqlPartialResponse> replies) {
        Cancellation cancellation = requests.cancellation(request.getOperationParams());
        StreamedCall.run(
                requests,
                replies,
                cancellation,
                Replies.failing(ExecuteYqlPartialResponse.getDefaultInstance()),
                (caller, stream) -> stream(caller.newSession(), request, cancellation, stream));
    }

    private void stream(
            Session session,
            ExecuteYqlRequest request,
            Cancellation cancellation,
            ReplyStream<ExecuteYqlPartialResponse> stream) {
        RequestFields.check(request);
        PartedResults<ResultSet> results =
                new PartedResults<>(
                        new MessageSets(),
                        (_, index, set) -> stream.send(part(index, set).build()),
                        stream,
                        PartedResults.DEFAULT_PART_BYTES,
                        true);
        QueryText text = text(request);
        QueryRun run = run(request, text, ResultLimits.NONE, cancellation);
        RunSummary summary = database.runScript(session, text, run, results);
        ResultSet rest = results.finish();
        var last =
                rest == null
                        ? ExecuteYqlPartialResponse.newBuilder().setStatus(StatusCode.SUCCESS)
                        : part(results.lastIndex(), rest);
        last.addAllIssues(Replies.issues(summary.issues()));
        if (request.getCollectStatsValue() >= Mode.STATS_COLLECTION_BASIC_VALUE) {
            last.getResultBuilder().setQueryStats(stats(request, summary));
        }
        stream.send(last.build());
    }

    private static ExecuteYqlPartialResponse.Builder part(int index, ResultSet set) {
        var part = ExecuteYqlPartialResponse.newBuilder().setStatus(StatusCode.SUCCESS);
        part.getResultBuilder().setResultSetIndex(index).setResultSet(set);
        return part;
    }

    @Override
    public void explainYql(ExplainYqlRequest request, StreamObserver<ExplainYqlResponse> replies) {
        requests.apart(
                replies,
                operation -> ExplainYqlResponse.newBuilder().setOperation(operation).build(),
                caller -> {
                    RequestFields.check(request);
                    QueryText text = QueryText.ofQueryService(request.getScript(), Map.of());
                    Explanation explanation = database.explainScript(caller.newSession(), text);
                    var result = ExplainYqlResult.newBuilder();
                    explanation
                            .parameters()
                            .forEach(
                                    (name, type) ->
                                            result.putParametersTypes(
                                                    name, ProtoTypes.toProto(type)));
                    if (request.getMode() == ExplainYqlRequest.Mode.PLAN) {
                        result.setPlan(explanation.json());
                    }
                    return Done.of(result.build(), explanation.warnings());
                });
    }

    private static QueryText text(ExecuteYqlRequest request) {
        return QueryText.ofQueryService(
                request.getScript(), RequestParts.types(request.getParametersMap()));
    }

    private static QueryRun run(
            ExecuteYqlRequest request,
            QueryText text,
            ResultLimits limits,
            Cancellation cancellation) {
        return new QueryRun(
                TxControl.IMPLICIT,
                RequestParts.parameters(request.getParametersMap(), text.sentTypes()),
                limits,
                cancellation);
    }

    private QueryStats stats(ExecuteYqlRequest request, RunSummary summary) {
        return request.getCollectStatsValue() >= Mode.STATS_COLLECTION_FULL_VALUE
                ? StatsProtos.of(summary, database.explain(summary.compiled()))
                : StatsProtos.of(summary);
    }
}
