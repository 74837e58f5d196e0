package io.cleave.wire;

import io.cleave.base.Status;
import io.cleave.base.StatusException;
import io.cleave.query.Cancellation;
import io.cleave.query.Database;
import io.cleave.query.Explanation;
import io.cleave.query.Placement;
import io.cleave.query.QueryRun;
import io.cleave.query.QueryText;
import io.cleave.query.ResultLimits;
import io.cleave.query.Results;
import io.cleave.query.RunSummary;
import io.cleave.query.Session;
import io.cleave.query.TxControl;
import io.cleave.wire.PartedResults.Room;
import io.cleave.wire.value.EncodedPart;
import io.cleave.wire.value.EncodedSets;
import io.cleave.wire.value.RequestParts;
import io.cleave.wire.value.WireBuffer;
import io.grpc.stub.StreamObserver;

import org.jspecify.annotations.Nullable;

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
import java.util.Objects;
import java.util.function.Consumer;
import java.util.function.Function;

/// ExecuteQuery: parses the request, submits the query, and streams its results.
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

    /// Called on the connection's thread.
    @SuppressWarnings("CatchThrowable") // every request gets an answer
    void start(ExecuteQueryRequest request, StreamObserver<EncodedPart> replies) {
        try {
            Session session = CallerHeaders.database().session(request.getSessionId());
            refuseWhatIsMissing(request);
            QueryText text =
                    QueryText.ofQueryService(
                            text(request.getQueryContent()),
                            RequestParts.types(request.getParametersMap()));
            var call = new Call(request, session, text, replies);
            if (executes(request)) {
                call.submit(database, session, text, call.control);
            } else if (!requests.spawn(call.inspection())) {
                call.fail(requests.overloaded());
            }
        } catch (Throwable thrown) {
            fail(replies, Failure.of(thrown));
        }
    }

    /// EXECUTE is also the mode of clients that set none.
    private static boolean executes(ExecuteQueryRequest request) {
        ExecMode mode = request.getExecMode();
        return mode == ExecMode.EXEC_MODE_EXECUTE || mode == ExecMode.EXEC_MODE_UNSPECIFIED;
    }

    static String text(QueryContent content) {
        if (content.getSyntax() == Syntax.SYNTAX_PG) {
            throw RequestParts.unsupported("PostgreSQL syntax");
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
            case FORMAT_ARROW -> throw RequestParts.unsupported("Result set format Arrow");
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
                    "response_part_limit_bytes is %d; it must be between 0 and %d"
                            .formatted(asked, MAX_PART_BYTES));
        }
    }

    private static void fail(StreamObserver<EncodedPart> replies, Failure failure) {
        replies.onNext(failed(failure));
        replies.onCompleted();
    }

    private static EncodedPart failed(Failure failure) {
        return EncodedPart.of(
                Replies.failed(ExecuteQueryResponsePart.getDefaultInstance(), failure));
    }

    private final class Call extends SubmittedQuery {
        private final ExecuteQueryRequest request;
        private final StreamObserver<EncodedPart> replies;
        private final Session session;
        private final QueryText text;
        private final TxControl control;
        private final Cancellation cancellation = Cancellation.byDefault(requests.env());

        /// The results of a run on the connection's thread; null before it.
        private @Nullable PartedResults<WireBuffer> few;

        /// All parts of `few` but the last one. An answer of several parts is rare here.
        private List<EncodedPart> firstParts = List.of();

        private boolean txTold;

        Call(
                ExecuteQueryRequest request,
                Session session,
                QueryText text,
                StreamObserver<EncodedPart> replies) {
            super(requests);
            this.request = request;
            this.replies = replies;
            this.session = session;
            this.text = text;
            this.control = TxSettings.control(request);
        }

        /// The rows are so few that the connection always accepts them.
        @Override
        public Results fewResults() {
            few = results(this::keep, Room.FOR_SHORT_ANSWERS);
            return few;
        }

        private void keep(EncodedPart part) {
            if (firstParts.isEmpty()) {
                firstParts = new ArrayList<>();
            }
            firstParts.add(part);
        }

        /// Full statistics contain the plan as text, which takes long to make.
        @Override
        boolean prepareLater() {
            Requests.cancelWith(replies, cancellation);
            return request.getStatsModeValue() < StatsMode.STATS_MODE_FULL_VALUE;
        }

        @Override
        void answer(RunSummary summary) {
            for (EncodedPart part : firstParts) {
                replies.onNext(part);
            }
            replies.onNext(lastPart(Objects.requireNonNull(few), summary));
            replies.onCompleted();
        }

        @Override
        void fail(Failure failure) {
            QueryExecution.fail(replies, failure);
        }

        @Override
        void cutOff(Throwable why) {
            replies.onError(why);
        }

        @Override
        Runnable apart(Placement.NeedsThread query) {
            txTold = false;
            return streaming(
                    stream -> {
                        var results = results(stream::send, stream);
                        return lastPart(results, database.run(session, query, run(), results));
                    });
        }

        /// Answers in the modes PARSE, VALIDATE and EXPLAIN.
        Runnable inspection() {
            return streaming(_ -> EncodedPart.of(look()));
        }

        /// A task that sends the answer. `body` returns the last part, and may send others before.
        @SuppressWarnings("CatchThrowable") // every request gets an answer
        private Runnable streaming(Function<ReplyStream<EncodedPart>, EncodedPart> body) {
            var stream = new ReplyStream<>(requests, replies, cancellation);
            return () -> {
                try {
                    stream.send(body.apply(stream));
                } catch (Throwable thrown) {
                    stream.sendNow(QueryExecution.failed(Failure.of(thrown)));
                }
                stream.complete();
            };
        }

        /// The answer in the modes PARSE, VALIDATE and EXPLAIN.
        private ExecuteQueryResponsePart look() {
            var part = ExecuteQueryResponsePart.newBuilder().setStatus(StatusCode.SUCCESS);
            switch (request.getExecMode()) {
                case EXEC_MODE_PARSE -> database.parse(text.text());
                case EXEC_MODE_VALIDATE -> addWarnings(part, database.explain(session, text));
                case EXEC_MODE_EXPLAIN -> {
                    Explanation explanation = database.explain(session, text);
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

        @Override
        public QueryRun run() {
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
