package io.cleave.wire;

import io.cleave.base.Status;
import io.cleave.base.StatusException;
import io.cleave.query.Cancellation;
import io.cleave.query.Compiled;
import io.cleave.query.Database;
import io.cleave.query.Explanation;
import io.cleave.query.QueryRun;
import io.cleave.query.QueryText;
import io.cleave.query.ResultLimits;
import io.cleave.query.RunSummary;
import io.cleave.query.Session;
import io.cleave.query.TxControl;
import io.cleave.wire.PartedResults.Room;
import io.grpc.stub.StreamObserver;

import tech.ydb.proto.StatusCodesProtos.StatusIds.StatusCode;
import tech.ydb.proto.query.YdbQuery.ExecMode;
import tech.ydb.proto.query.YdbQuery.ExecuteQueryRequest;
import tech.ydb.proto.query.YdbQuery.ExecuteQueryResponsePart;
import tech.ydb.proto.query.YdbQuery.QueryContent;
import tech.ydb.proto.query.YdbQuery.SchemaInclusionMode;
import tech.ydb.proto.query.YdbQuery.StatsMode;
import tech.ydb.proto.query.YdbQuery.Syntax;
import tech.ydb.proto.query.YdbQuery.TransactionMeta;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Supplier;

/// ExecuteQuery: parses the request, chooses the thread, and streams the results of the query.
final class QueryExecution {
    private static final long MAX_PART_BYTES = 33_554_432;
    private static final String DEFAULT_POOL = "default";

    /// The last part of most answers, without its result set.
    private static final byte[] SUCCESS =
            ExecuteQueryResponsePart.newBuilder()
                    .setStatus(StatusCode.SUCCESS)
                    .build()
                    .toByteArray();

    /// The only part of an answer, without its result set, if no transaction stays open: it says so
    /// with an empty id.
    private static final byte[] SUCCESS_WITHOUT_TX =
            ExecuteQueryResponsePart.newBuilder()
                    .setStatus(StatusCode.SUCCESS)
                    .setTxMeta(TransactionMeta.getDefaultInstance())
                    .build()
                    .toByteArray();

    private final Database database;
    private final Requests requests;
    private final EncodedSets.Shapes shapes = new EncodedSets.Shapes();

    QueryExecution(Database database, Requests requests) {
        this.database = database;
        this.requests = requests;
    }

    /// Called on the connection's thread. A query is answered on that thread if its plan is cached
    /// and it reads few rows.
    @SuppressWarnings("CatchThrowable") // every request gets an answer
    void start(ExecuteQueryRequest request, StreamObserver<EncodedPart> replies) {
        try {
            Call call = call(request);
            if (call.runHere(replies)) {
                replies.onCompleted();
                return;
            }
            if (call.runLater(replies)) {
                return;
            }
            var stream = new ReplyStream<>(requests, replies, call.cancellation);
            if (!requests.spawn(() -> call.runApart(stream))) {
                fail(replies, requests.overloaded());
            }
        } catch (Throwable thrown) {
            fail(replies, Failure.of(thrown));
        }
    }

    private Call call(ExecuteQueryRequest request) {
        Session session = database.sessions().find(request.getSessionId());
        refuseWhatIsMissing(request);
        QueryText text =
                QueryText.ofQueryService(
                        text(request.getQueryContent()),
                        RequestParts.types(request.getParametersMap()));
        return new Call(
                request,
                session,
                text,
                TxSettings.control(request),
                Cancellation.byDefault(requests.env()));
    }

    static String text(QueryContent content) {
        if (content.getSyntax() == Syntax.SYNTAX_PG) {
            throw Requests.unsupported("PostgreSQL syntax");
        }
        return content.getText();
    }

    /// `concurrent_result_sets` is accepted and has no effect. It only permits the server to mix
    /// the parts of several results, and YDB's C++ client always sets it.
    private static void refuseWhatIsMissing(ExecuteQueryRequest request) {
        checkPool(request.getPoolId());
        checkPartLimit(request.getResponsePartLimitBytes());
        switch (request.getResultSetFormat()) {
            case FORMAT_UNSPECIFIED, FORMAT_VALUE -> {}
            case FORMAT_ARROW -> throw Requests.unsupported("Result set format Arrow");
            case UNRECOGNIZED -> throw RequestParts.bad("Unknown result_set_format");
        }
    }

    /// There is only one resource pool.
    static void checkPool(String id) {
        if (!id.isEmpty() && !id.equals(DEFAULT_POOL)) {
            throw new StatusException(
                    Status.NOT_FOUND,
                    "Resource pool " + id + " not found or you don't have access permissions");
        }
    }

    private static void checkPartLimit(long asked) {
        if (asked < 0 || asked > MAX_PART_BYTES) {
            throw RequestParts.bad(
                    "response_part_limit_bytes is %d, it has to be between 0 and %d"
                            .formatted(asked, MAX_PART_BYTES));
        }
    }

    private static void fail(StreamObserver<EncodedPart> replies, Failure failure) {
        replies.onNext(failed(failure));
        replies.onCompleted();
    }

    private static EncodedPart failed(Failure failure) {
        return EncodedPart.of(
                ExecuteQueryResponsePart.newBuilder()
                        .setStatus(Replies.status(failure.status()))
                        .addAllIssues(Replies.issues(failure.issues()))
                        .build());
    }

    private final class Call {
        private final ExecuteQueryRequest request;
        private final Session session;
        private final QueryText text;
        private final TxControl control;
        private final Cancellation cancellation;

        /// The plan that [#runHere] found, so that it is looked up only once.
        private Optional<Compiled> known = Optional.empty();

        private boolean txTold;

        Call(
                ExecuteQueryRequest request,
                Session session,
                QueryText text,
                TxControl control,
                Cancellation cancellation) {
            this.request = request;
            this.session = session;
            this.text = text.in(session);
            this.control = control;
            this.cancellation = cancellation;
        }

        /// EXECUTE is also the mode of clients that set none.
        private boolean executes() {
            ExecMode mode = request.getExecMode();
            return mode == ExecMode.EXEC_MODE_EXECUTE || mode == ExecMode.EXEC_MODE_UNSPECIFIED;
        }

        /// Answers on this thread, unless that could take long. Returns false if it did not answer.
        /// The answer is so short that the connection always accepts it.
        boolean runHere(StreamObserver<EncodedPart> replies) {
            known = database.compiledBefore(text);
            if (known.isEmpty() || !executes()) {
                return false;
            }
            Compiled compiled = known.get();
            if (database.runsWithoutWaiting(compiled, control)) {
                var results = results(replies::onNext, Room.FOR_SHORT_ANSWERS);
                replies.onNext(lastPart(results, database.run(session, compiled, run(), results)));
                return true;
            }
            return database.mayBeBrief(compiled, control) && runBriefly(compiled, replies);
        }

        /// Runs a write on this thread, and lets the log's thread send the answer: no thread has to
        /// be woken to wait for the log. Returns false if the write was not started.
        boolean runLater(StreamObserver<EncodedPart> replies) {
            if (known.isEmpty()
                    || !executes()
                    // The statistics would contain the plan as text, which must not be made on the
                    // log's thread.
                    || request.getStatsModeValue() >= StatsMode.STATS_MODE_FULL_VALUE
                    || !database.mayCommitLater(known.get(), control)
                    || !requests.enter()) {
                return false;
            }
            boolean taken = false;
            try {
                Requests.cancelWith(replies, cancellation);
                var results = results(replies::onNext, Room.FOR_SHORT_ANSWERS);
                taken =
                        database.runLater(
                                session,
                                known.get(),
                                run(),
                                results,
                                new LaterAnswer(results, replies));
            } finally {
                if (!taken) {
                    requests.leave();
                }
            }
            return taken;
        }

        /// Sends the answer once the write is in the log.
        private final class LaterAnswer implements Database.Ending {
            private final PartedResults<WireBuffer> results;
            private final StreamObserver<EncodedPart> replies;

            LaterAnswer(PartedResults<WireBuffer> results, StreamObserver<EncodedPart> replies) {
                this.results = results;
                this.replies = replies;
            }

            @Override
            public void succeeded(RunSummary summary) {
                answer(() -> lastPart(results, summary));
            }

            @Override
            public void failed(StatusException why) {
                answer(() -> QueryExecution.failed(Failure.of(why)));
            }

            @SuppressWarnings("CatchThrowable") // the log's thread also serves others
            private void answer(Supplier<EncodedPart> last) {
                try {
                    replies.onNext(last.get());
                    replies.onCompleted();
                } catch (Throwable thrown) {
                    replies.onError(thrown);
                } finally {
                    requests.leave();
                }
            }
        }

        /// Sends nothing until the whole answer is known to be complete.
        private boolean runBriefly(Compiled compiled, StreamObserver<EncodedPart> replies) {
            List<EncodedPart> parts = new ArrayList<>(1);
            var results = results(parts::add, Room.FOR_SHORT_ANSWERS);
            Optional<RunSummary> summary = database.runBriefly(session, compiled, run(), results);
            if (summary.isEmpty()) {
                txTold = false;
                return false;
            }
            parts.forEach(replies::onNext);
            replies.onNext(lastPart(results, summary.get()));
            return true;
        }

        @SuppressWarnings("CatchThrowable") // every request gets an answer
        void runApart(ReplyStream<EncodedPart> stream) {
            try {
                if (executes()) {
                    var results = results(stream::send, stream);
                    RunSummary summary =
                            known.isPresent()
                                    ? database.run(session, known.get(), run(), results)
                                    : database.run(session, text, run(), results);
                    stream.send(lastPart(results, summary));
                } else {
                    stream.send(EncodedPart.of(look()));
                }
            } catch (Throwable thrown) {
                stream.sendNow(failed(Failure.of(thrown)));
            }
            stream.complete();
        }

        /// The answer in the modes PARSE, VALIDATE and EXPLAIN.
        private ExecuteQueryResponsePart look() {
            var part = ExecuteQueryResponsePart.newBuilder().setStatus(StatusCode.SUCCESS);
            switch (request.getExecMode()) {
                case EXEC_MODE_PARSE -> database.parse(text.text());
                case EXEC_MODE_VALIDATE -> addWarnings(part, database.explain(text));
                case EXEC_MODE_EXPLAIN -> {
                    Explanation explanation = database.explain(text);
                    addWarnings(part, explanation);
                    part.setExecStats(StatsProtos.explanation(explanation));
                }
                default -> throw RequestParts.bad("Unknown exec_mode");
            }
            return part.build();
        }

        private void addWarnings(ExecuteQueryResponsePart.Builder part, Explanation explanation) {
            part.addAllIssues(Replies.issues(explanation.warnings()));
        }

        private QueryRun run() {
            return new QueryRun(
                    control,
                    RequestParts.parameters(request.getParametersMap(), text.sentTypes()),
                    ResultLimits.NONE,
                    cancellation);
        }

        private PartedResults<WireBuffer> results(Consumer<EncodedPart> parts, Room room) {
            return new PartedResults<>(
                    new EncodedSets(shapes),
                    (txId, index, set) ->
                            parts.accept(
                                    EncodedPart.of(
                                            part(txId)
                                                    .setResultSetIndex(index)
                                                    .build()
                                                    .toByteArray(),
                                            set)),
                    room,
                    partBytes(),
                    request.getSchemaInclusionMode()
                            != SchemaInclusionMode.SCHEMA_INCLUSION_MODE_FIRST_ONLY);
        }

        /// Call this only once the session is free again: the client may send its next query as
        /// soon as it receives this part.
        private EncodedPart lastPart(PartedResults<WireBuffer> results, RunSummary summary) {
            WireBuffer set = results.finish();
            int stats = request.getStatsModeValue();
            if (summary.issues().isEmpty()
                    && stats < StatsMode.STATS_MODE_BASIC_VALUE
                    && results.lastIndex() == 0
                    && results.txId().isEmpty()) {
                return EncodedPart.of(tellsTx() ? SUCCESS_WITHOUT_TX : SUCCESS, set);
            }
            var last = part(results.txId());
            last.setResultSetIndex(results.lastIndex());
            if (stats < StatsMode.STATS_MODE_BASIC_VALUE) {
                last.addAllIssues(Replies.issues(summary.issues()));
            } else {
                last.addAllIssues(Replies.issues(summary.issuesWithStaleness()));
                last.setExecStats(
                        stats >= StatsMode.STATS_MODE_FULL_VALUE
                                ? StatsProtos.of(summary, database.explain(summary.compiled()))
                                : StatsProtos.of(summary));
            }
            return EncodedPart.of(last.build().toByteArray(), set);
        }

        /// The first part carries the transaction's id.
        private ExecuteQueryResponsePart.Builder part(String txId) {
            var part = ExecuteQueryResponsePart.newBuilder().setStatus(StatusCode.SUCCESS);
            if (tellsTx()) {
                part.getTxMetaBuilder().setId(txId);
                txTold = true;
            }
            return part;
        }

        private boolean tellsTx() {
            return !txTold && !(control instanceof TxControl.Implicit);
        }

        private long partBytes() {
            long asked = request.getResponsePartLimitBytes();
            return asked == 0 ? PartedResults.DEFAULT_PART_BYTES : asked;
        }
    }
}
