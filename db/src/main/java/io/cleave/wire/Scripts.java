package io.cleave.wire;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import com.google.protobuf.Any;

import io.cleave.base.Env;
import io.cleave.base.Status;
import io.cleave.base.StatusException;
import io.cleave.query.Cancellation;
import io.cleave.query.Database;
import io.cleave.query.QueryRun;
import io.cleave.query.QueryText;
import io.cleave.query.ResultLimits;
import io.cleave.query.TxControl;

import tech.ydb.proto.OperationProtos.Operation;
import tech.ydb.proto.StatusCodesProtos.StatusIds.StatusCode;
import tech.ydb.proto.ValueProtos.ResultSet;
import tech.ydb.proto.query.YdbQuery.ExecMode;
import tech.ydb.proto.query.YdbQuery.ExecStatus;
import tech.ydb.proto.query.YdbQuery.ExecuteScriptMetadata;
import tech.ydb.proto.query.YdbQuery.ExecuteScriptRequest;
import tech.ydb.proto.query.YdbQuery.FetchScriptResultsRequest;
import tech.ydb.proto.query.YdbQuery.FetchScriptResultsResponse;
import tech.ydb.proto.query.YdbQuery.ResultSetMeta;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;

/// Scripts that run while their client looks in from time to time. Their results wait in memory to
/// be fetched, so they are few and bounded: the oldest give way.
final class Scripts {
    static final int MAX_SCRIPTS = 100;
    static final Duration KEPT = Duration.ofHours(1);
    private static final String ID_PREFIX = "ydb://scriptexec/9?id=";
    private static final int DEFAULT_FETCH_ROWS = 1000;
    private static final Duration LIMIT = Duration.ofHours(1);

    /// Per script; more ends it.
    private static final ResultLimits LIMITS = new ResultLimits(Long.MAX_VALUE, 50L << 20);

    private final Database database;
    private final Requests requests;
    private final Cache<String, Script> byId;

    Scripts(Database database, Requests requests) {
        this.database = database;
        this.requests = requests;
        Env env = requests.env();
        this.byId =
                Caffeine.newBuilder()
                        .maximumSize(MAX_SCRIPTS)
                        .expireAfterWrite(KEPT)
                        .ticker(env::nanoTime)
                        .executor(Runnable::run)
                        .build();
    }

    Operation start(ExecuteScriptRequest request) {
        if (request.getExecMode() != ExecMode.EXEC_MODE_EXECUTE) {
            throw Requests.unsupported("ExecuteScript in mode " + request.getExecMode());
        }
        QueryExecution.checkPool(request.getPoolId());
        Script script =
                new Script(
                        ID_PREFIX + database.newId(),
                        request,
                        new Cancellation(requests.env(), LIMIT, Status.TIMEOUT));
        byId.put(script.id, script);
        if (!requests.spawn(script::run)) {
            byId.invalidate(script.id);
            return Replies.failed(Requests.overloaded());
        }
        return script.operation();
    }

    FetchScriptResultsResponse fetch(FetchScriptResultsRequest request) {
        Script script = find(request.getOperationId());
        Outcome outcome = script.outcome();
        if (outcome.failure().isPresent()) {
            Failure failure = outcome.failure().get();
            return FetchScriptResultsResponse.newBuilder()
                    .setStatus(Replies.status(failure.status()))
                    .addAllIssues(Replies.issues(failure.issues()))
                    .build();
        }
        long index = request.getResultSetIndex();
        if (index < 0 || index >= outcome.sets().size()) {
            throw RequestParts.bad("Result set %d of %d".formatted(index, outcome.sets().size()));
        }
        ResultSet whole = outcome.sets().get((int) index);
        int from = offset(request.getFetchToken(), whole.getRowsCount());
        long limit = request.getRowsLimit() > 0 ? request.getRowsLimit() : DEFAULT_FETCH_ROWS;
        int to = (int) Math.min(whole.getRowsCount(), from + limit);
        var reply =
                FetchScriptResultsResponse.newBuilder()
                        .setStatus(StatusCode.SUCCESS)
                        .setResultSetIndex(index)
                        .setResultSet(
                                ResultSet.newBuilder()
                                        .addAllColumns(whole.getColumnsList())
                                        .addAllRows(whole.getRowsList().subList(from, to)));
        if (to < whole.getRowsCount()) {
            reply.setNextFetchToken(String.valueOf(to));
        }
        return reply.build();
    }

    /// A token is the number of rows that were fetched before.
    private static int offset(String token, int rowCount) {
        if (token.isEmpty()) {
            return 0;
        }
        try {
            int offset = Integer.parseInt(token);
            if (offset >= 0 && offset <= rowCount) {
                return offset;
            }
        } catch (NumberFormatException notOurs) {
            // Said below.
        }
        throw RequestParts.bad("Unknown fetch token: " + token);
    }

    Operation get(String id) {
        return find(id).operation();
    }

    void cancel(String id) {
        find(id).cancellation.cancel();
    }

    void forget(String id) {
        find(id).cancellation.cancel();
        byId.invalidate(id);
    }

    List<Operation> list() {
        return byId.asMap().values().stream().map(Script::operation).toList();
    }

    private Script find(String id) {
        Script script = byId.getIfPresent(id);
        if (script == null) {
            throw new StatusException(Status.NOT_FOUND, "Operation not found: " + id);
        }
        return script;
    }

    private record Outcome(List<ResultSet> sets, Optional<Failure> failure) {}

    private final class Script {
        private final String id;
        private final ExecuteScriptRequest request;
        private final Cancellation cancellation;

        /// Null while it runs.
        private final AtomicReference<Outcome> outcome = new AtomicReference<>();

        Script(String id, ExecuteScriptRequest request, Cancellation cancellation) {
            this.id = id;
            this.request = request;
            this.cancellation = cancellation;
        }

        @SuppressWarnings("CatchThrowable") // every request gets an answer
        void run() {
            CollectedResults results = new CollectedResults();
            try {
                QueryText text =
                        QueryText.ofQueryService(
                                QueryExecution.text(request.getScriptContent()),
                                RequestParts.types(request.getParametersMap()));
                QueryRun run =
                        new QueryRun(
                                TxControl.IMPLICIT,
                                RequestParts.parameters(
                                        request.getParametersMap(), text.sentTypes()),
                                LIMITS,
                                cancellation);
                database.runAlone(text, run, results);
                outcome.set(new Outcome(results.sets(), Optional.empty()));
            } catch (Throwable thrown) {
                outcome.set(new Outcome(List.of(), Optional.of(Failure.of(thrown))));
            }
        }

        Outcome outcome() {
            Outcome ended = outcome.get();
            if (ended == null) {
                throw new StatusException(Status.BAD_REQUEST, "Script is still running: " + id);
            }
            return ended;
        }

        Operation operation() {
            Outcome ended = outcome.get();
            var metadata =
                    ExecuteScriptMetadata.newBuilder()
                            .setExecutionId(id.substring(ID_PREFIX.length()))
                            .setExecMode(request.getExecMode())
                            .setScriptContent(request.getScriptContent());
            var operation = Operation.newBuilder().setId(id).setStatus(StatusCode.SUCCESS);
            if (ended == null) {
                metadata.setExecStatus(ExecStatus.EXEC_STATUS_STARTING);
            } else if (ended.failure().isPresent()) {
                Failure failure = ended.failure().get();
                metadata.setExecStatus(
                        failure.status() == Status.CANCELLED
                                ? ExecStatus.EXEC_STATUS_CANCELLED
                                : ExecStatus.EXEC_STATUS_FAILED);
                operation
                        .setReady(true)
                        .setStatus(Replies.status(failure.status()))
                        .addAllIssues(Replies.issues(failure.issues()));
            } else {
                metadata.setExecStatus(ExecStatus.EXEC_STATUS_COMPLETED);
                for (ResultSet set : ended.sets()) {
                    metadata.addResultSetsMeta(
                            ResultSetMeta.newBuilder().addAllColumns(set.getColumnsList()));
                }
                operation.setReady(true);
            }
            return operation.setMetadata(Any.pack(metadata.build())).build();
        }
    }
}
