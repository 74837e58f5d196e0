package io.cleave.wire;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import com.google.protobuf.Any;

import io.cleave.base.Issue;
import io.cleave.base.Status;
import io.cleave.base.StatusException;
import io.cleave.query.Cancellation;
import io.cleave.query.Database;
import io.cleave.query.QueryRun;
import io.cleave.query.QueryText;
import io.cleave.query.ResultLimits;
import io.cleave.query.TxControl;

import org.jspecify.annotations.Nullable;

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
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.ReentrantLock;

/// Scripts that run while their client looks in from time to time. Their results wait in memory to
/// be fetched, so they are few and bounded: of those that have ended, the oldest give way.
final class Scripts {
    static final int MAX_SCRIPTS = 100;

    /// What the results of all scripts may take, whatever the heap.
    static final long MAX_BYTES = 256L << 20;

    static final Duration KEPT = Duration.ofHours(1);
    private static final String ID_PREFIX = "ydb://scriptexec/9?id=";
    private static final int DEFAULT_FETCH_ROWS = 1000;
    private static final Duration LIMIT = Duration.ofHours(1);

    /// Per script; more ends it.
    private static final ResultLimits LIMITS = new ResultLimits(Long.MAX_VALUE, 50L << 20);

    private final Database database;
    private final Requests requests;

    /// What the results of all scripts may take here; those of one always may.
    private final long maxBytes;

    private final ReentrantLock lock = new ReentrantLock();

    /// In the order they were started.
    @GuardedBy("lock")
    private final Map<String, Script> byId = new LinkedHashMap<>();

    Scripts(Database database, Requests requests) {
        this.database = database;
        this.requests = requests;
        long pool = database.memory().results().limitBytes();
        maxBytes = Math.min(MAX_BYTES, pool / 2);
        database.memory().results().show(this::keptBytes);
    }

    /// What the results of scripts that have ended take in memory, about.
    private long keptBytes() {
        lock.lock();
        try {
            return byId.values().stream().mapToLong(Script::resultBytes).sum();
        } finally {
            lock.unlock();
        }
    }

    Operation start(ExecuteScriptRequest request) {
        RequestFields.check(request);
        if (request.getExecMode() != ExecMode.EXEC_MODE_EXECUTE) {
            throw Requests.unsupported("ExecuteScript in mode " + request.getExecMode());
        }
        QueryExecution.checkPool(request.getPoolId());
        Script script =
                new Script(
                        ID_PREFIX + database.newId(),
                        request,
                        new Cancellation(requests.env(), LIMIT, Status.TIMEOUT));
        add(script);
        if (!requests.spawn(script::run)) {
            remove(script.id);
            return Replies.failed(Requests.overloaded());
        }
        return script.operation();
    }

    private void add(Script script) {
        lock.lock();
        try {
            long since = requests.env().nanoTime() - KEPT.toNanos();
            byId.values().removeIf(other -> other.endedBefore(since));
            if (byId.size() >= MAX_SCRIPTS && !forgetOldest()) {
                throw new StatusException(
                        Status.OVERLOADED,
                        Issue.error(
                                Issue.OVERLOADED,
                                "Too many scripts are running, the limit is " + MAX_SCRIPTS));
            }
            byId.put(script.id, script);
        } finally {
            lock.unlock();
        }
    }

    /// Makes room for the results of one that has just ended.
    private void makeRoom() {
        lock.lock();
        try {
            while (byId.values().stream().mapToLong(Script::resultBytes).sum() > maxBytes
                    && byId.values().stream().filter(Script::hasEnded).count() > 1) {
                forgetOldest();
            }
        } finally {
            lock.unlock();
        }
    }

    /// The one that ended first; false if none has.
    @GuardedBy("lock")
    private boolean forgetOldest() {
        @Nullable Script oldest = null;
        for (Script script : byId.values()) {
            if (script.hasEnded() && (oldest == null || script.endedBefore(oldest.endNanos()))) {
                oldest = script;
            }
        }
        if (oldest != null) {
            byId.remove(oldest.id);
        }
        return oldest != null;
    }

    private void remove(String id) {
        lock.lock();
        try {
            byId.remove(id);
        } finally {
            lock.unlock();
        }
    }

    FetchScriptResultsResponse fetch(FetchScriptResultsRequest request) {
        RequestFields.check(request);
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
        int to = from + (int) Math.min(whole.getRowsCount() - from, limit);
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
        remove(id);
    }

    List<Operation> list() {
        lock.lock();
        try {
            return byId.values().stream().map(Script::operation).toList();
        } finally {
            lock.unlock();
        }
    }

    private Script find(String id) {
        @Nullable Script script;
        lock.lock();
        try {
            script = byId.get(id);
        } finally {
            lock.unlock();
        }
        if (script == null) {
            throw new StatusException(Status.NOT_FOUND, "Operation not found: " + id);
        }
        return script;
    }

    private record Outcome(
            List<ResultSet> sets, Optional<Failure> failure, long bytes, long atNanos) {}

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
            try (var results = new CollectedResults(requests.memoryOfResult(cancellation))) {
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
                end(results.sets(), results.bytes(), Optional.empty());
            } catch (Throwable thrown) {
                end(List.of(), 0, Optional.of(Failure.of(thrown)));
            }
            makeRoom();
        }

        private void end(List<ResultSet> sets, long bytes, Optional<Failure> failure) {
            outcome.set(new Outcome(sets, failure, bytes, requests.env().nanoTime()));
        }

        boolean hasEnded() {
            return outcome.get() != null;
        }

        /// Of one that has.
        long endNanos() {
            return outcome().atNanos();
        }

        boolean endedBefore(long nanos) {
            Outcome ended = outcome.get();
            return ended != null && ended.atNanos() - nanos < 0;
        }

        long resultBytes() {
            Outcome ended = outcome.get();
            return ended == null ? 0 : ended.bytes();
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
