package io.cleave.wire;

import io.cleave.base.Status;
import io.cleave.base.StatusException;
import io.cleave.query.Cancellation;
import io.cleave.query.Compiled;
import io.cleave.query.Database;
import io.cleave.query.QueryRun;
import io.cleave.query.QueryText;
import io.cleave.query.ResultLimits;
import io.cleave.query.RunSummary;
import io.cleave.query.Session;
import io.cleave.query.TxControl;
import io.grpc.stub.StreamObserver;

import tech.ydb.proto.StatusCodesProtos.StatusIds.StatusCode;
import tech.ydb.proto.ValueProtos.ResultSet;
import tech.ydb.proto.query.YdbQuery.ExecMode;
import tech.ydb.proto.query.YdbQuery.ExecuteQueryRequest;
import tech.ydb.proto.query.YdbQuery.ExecuteQueryResponsePart;
import tech.ydb.proto.query.YdbQuery.QueryContent;
import tech.ydb.proto.query.YdbQuery.SchemaInclusionMode;
import tech.ydb.proto.query.YdbQuery.StatsMode;
import tech.ydb.proto.query.YdbQuery.Syntax;

import java.util.Optional;
import java.util.function.Consumer;

/// ExecuteQuery: parses the request, chooses the thread, and streams what the query answers.
final class QueryExecution {
    private static final long MAX_PART_BYTES = 33_554_432;
    private static final String DEFAULT_POOL = "default";

    private final Database database;
    private final Requests requests;

    QueryExecution(Database database, Requests requests) {
        this.database = database;
        this.requests = requests;
    }

    /// Called on the connection's thread. A query by key whose plan is there is answered on it.
    @SuppressWarnings("CatchThrowable") // every request gets an answer
    void start(ExecuteQueryRequest request, StreamObserver<ExecuteQueryResponsePart> replies) {
        Cancellation cancellation = Cancellation.byDefault(requests.env());
        var stream = new ReplyStream<>(requests.env(), replies, cancellation);
        try {
            Session session = database.sessions().find(request.getSessionId());
            refuseWhatIsMissing(request);
            QueryText text =
                    QueryText.ofQueryService(
                            text(request.getQueryContent()),
                            RequestParts.types(request.getParametersMap()));
            TxControl control = TxSettings.control(request);
            Call call = new Call(request, session, text, control, cancellation, stream);
            Optional<Compiled> compiled = database.compiledBefore(text);
            if (compiled.isPresent()
                    && call.executes()
                    && database.runsWithoutWaiting(compiled.get(), control)) {
                call.executeHere(compiled.get());
                stream.complete();
            } else if (!requests.spawn(call::runApart)) {
                fail(stream, Requests.overloaded());
            }
        } catch (Throwable thrown) {
            fail(stream, Failure.of(thrown));
        }
    }

    static String text(QueryContent content) {
        if (content.getSyntax() == Syntax.SYNTAX_PG) {
            throw Requests.unsupported("PostgreSQL syntax");
        }
        return content.getText();
    }

    /// `concurrent_result_sets` only lets the server mix the parts of several results; one after
    /// the other is as good, and YDB's C++ client always sets it.
    private static void refuseWhatIsMissing(ExecuteQueryRequest request) {
        checkPool(request.getPoolId());
        switch (request.getResultSetFormat()) {
            case FORMAT_UNSPECIFIED, FORMAT_VALUE -> {}
            case FORMAT_ARROW -> throw Requests.unsupported("Result set format Arrow");
            case UNRECOGNIZED -> throw RequestParts.bad("Unknown result_set_format");
        }
    }

    /// There is one resource pool, for all queries.
    static void checkPool(String id) {
        if (!id.isEmpty() && !id.equals(DEFAULT_POOL)) {
            throw new StatusException(
                    Status.NOT_FOUND,
                    "Resource pool " + id + " not found or you don't have access permissions");
        }
    }

    private static void fail(ReplyStream<ExecuteQueryResponsePart> stream, Failure failure) {
        stream.sendNow(
                ExecuteQueryResponsePart.newBuilder()
                        .setStatus(Replies.status(failure.status()))
                        .addAllIssues(Replies.issues(failure.issues()))
                        .build());
        stream.complete();
    }

    private final class Call {
        private final ExecuteQueryRequest request;
        private final Session session;
        private final QueryText text;
        private final TxControl control;
        private final Cancellation cancellation;
        private final ReplyStream<ExecuteQueryResponsePart> stream;
        private boolean txTold;

        Call(
                ExecuteQueryRequest request,
                Session session,
                QueryText text,
                TxControl control,
                Cancellation cancellation,
                ReplyStream<ExecuteQueryResponsePart> stream) {
            this.request = request;
            this.session = session;
            this.text = text;
            this.control = control;
            this.cancellation = cancellation;
            this.stream = stream;
        }

        /// Clients that say nothing mean this.
        boolean executes() {
            ExecMode mode = request.getExecMode();
            return mode == ExecMode.EXEC_MODE_EXECUTE || mode == ExecMode.EXEC_MODE_UNSPECIFIED;
        }

        @SuppressWarnings("CatchThrowable") // every request gets an answer
        void runApart() {
            try {
                if (executes()) {
                    PartedResults results = results(stream::send);
                    stream.send(lastPart(results, database.run(session, text, run(), results)));
                } else {
                    stream.send(look());
                }
                stream.complete();
            } catch (Throwable thrown) {
                fail(stream, Failure.of(thrown));
            }
        }

        /// What the other modes answer.
        private ExecuteQueryResponsePart look() {
            var part = ExecuteQueryResponsePart.newBuilder().setStatus(StatusCode.SUCCESS);
            switch (request.getExecMode()) {
                case EXEC_MODE_PARSE -> database.parse(text.text());
                case EXEC_MODE_VALIDATE -> addWarnings(part, database.compile(text));
                case EXEC_MODE_EXPLAIN -> {
                    Compiled compiled = database.compile(text);
                    addWarnings(part, compiled);
                    part.setExecStats(
                            StatsProtos.explanation(compiled, database.explain(compiled)));
                }
                default -> throw RequestParts.bad("Unknown exec_mode");
            }
            return part.build();
        }

        private void addWarnings(ExecuteQueryResponsePart.Builder part, Compiled compiled) {
            part.addAllIssues(Replies.issues(compiled.program().warnings()));
        }

        /// There is too little to send for the connection not to take it.
        void executeHere(Compiled compiled) {
            PartedResults results = results(stream::sendNow);
            stream.sendNow(lastPart(results, database.run(session, compiled, run(), results)));
        }

        private QueryRun run() {
            return new QueryRun(
                    control,
                    RequestParts.parameters(request.getParametersMap(), text.sentTypes()),
                    ResultLimits.NONE,
                    cancellation);
        }

        private PartedResults results(Consumer<ExecuteQueryResponsePart> parts) {
            return new PartedResults(
                    (txId, index, set) ->
                            parts.accept(
                                    part(txId).setResultSetIndex(index).setResultSet(set).build()),
                    partBytes(),
                    request.getSchemaInclusionMode()
                            != SchemaInclusionMode.SCHEMA_INCLUSION_MODE_FIRST_ONLY);
        }

        /// Made when the session is free again: the client may answer it with the next query.
        private ExecuteQueryResponsePart lastPart(PartedResults results, RunSummary summary) {
            var last = part(results.txId()).addAllIssues(Replies.issues(summary.issues()));
            ResultSet rest = results.finish();
            if (rest != null) {
                last.setResultSetIndex(results.lastIndex()).setResultSet(rest);
            }
            int stats = request.getStatsModeValue();
            if (stats >= StatsMode.STATS_MODE_BASIC_VALUE) {
                last.setExecStats(
                        stats >= StatsMode.STATS_MODE_FULL_VALUE
                                ? StatsProtos.of(summary, database.explain(summary.compiled()))
                                : StatsProtos.of(summary));
            }
            return last.build();
        }

        /// The first part tells the transaction's id.
        private ExecuteQueryResponsePart.Builder part(String txId) {
            var part = ExecuteQueryResponsePart.newBuilder().setStatus(StatusCode.SUCCESS);
            if (!txTold && !(control instanceof TxControl.Implicit)) {
                part.getTxMetaBuilder().setId(txId);
                txTold = true;
            }
            return part;
        }

        private long partBytes() {
            long asked = request.getResponsePartLimitBytes();
            return asked <= 0 ? PartedResults.DEFAULT_PART_BYTES : Math.min(asked, MAX_PART_BYTES);
        }
    }
}
