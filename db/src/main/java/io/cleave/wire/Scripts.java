package io.cleave.wire;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import com.google.protobuf.Any;

import io.cleave.base.Issue;
import io.cleave.base.Status;
import io.cleave.base.StatusException;
import io.cleave.memory.MemoryPool;
import io.cleave.query.CallerDatabase;
import io.cleave.query.Cancellation;
import io.cleave.query.Database;
import io.cleave.query.QueryRun;
import io.cleave.query.QueryText;
import io.cleave.query.ResultLimits;
import io.cleave.query.RunSummary;
import io.cleave.query.Session;
import io.cleave.query.TxControl;
import io.cleave.wire.value.ParsedSize;
import io.cleave.wire.value.RequestFields;
import io.cleave.wire.value.RequestParts;

import org.jspecify.annotations.Nullable;

import tech.ydb.proto.OperationProtos.Operation;
import tech.ydb.proto.StatusCodesProtos.StatusIds.StatusCode;
import tech.ydb.proto.ValueProtos.ResultSet;
import tech.ydb.proto.YdbQueryStats.QueryStats;
import tech.ydb.proto.query.YdbQuery.ExecMode;
import tech.ydb.proto.query.YdbQuery.ExecStatus;
import tech.ydb.proto.query.YdbQuery.ExecuteScriptMetadata;
import tech.ydb.proto.query.YdbQuery.ExecuteScriptRequest;
import tech.ydb.proto.query.YdbQuery.FetchScriptResultsRequest;
import tech.ydb.proto.query.YdbQuery.FetchScriptResultsResponse;
import tech.ydb.proto.query.YdbQuery.QueryContent;
import tech.ydb.proto.query.YdbQuery.ResultSetMeta;
import tech.ydb.proto.query.YdbQuery.StatsMode;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.ReentrantLock;

/// Scripts that run in the background, while their client polls them.
///
/// Results wait in memory until the client fetches them, so their number and size are limited. When
/// a limit is reached, the script that ended first is forgotten. Kept results take their memory
/// from the pool of results; the request of a running script takes its memory from the pool of
/// requests.
final class Scripts {
    static final int MAX_SCRIPTS = 100;

    /// Limit of the results of all scripts, however large the heap is.
    static final long MAX_BYTES = 256L << 20;

    static final Duration KEPT = Duration.ofHours(1);
    private static final String ID_PREFIX = "ydb://scriptexec/9?id=";
    private static final int DEFAULT_FETCH_ROWS = 1000;
    private static final Duration LIMIT = Duration.ofHours(1);

    /// Limits of one script. A script that exceeds them fails.
    private static final ResultLimits LIMITS = new ResultLimits(Long.MAX_VALUE, 50L << 20);

    private static final ParsedSize REQUEST_SIZE =
            ParsedSize.of(ExecuteScriptRequest.getDescriptor());

    /// Memory of a script without its text and its results.
    private static final int SCRIPT_BYTES = 1 << 10;

    private final Database database;
    private final Requests requests;
    private final MemoryPool resultMemory;
    private final MemoryPool requestMemory;

    /// Limit of the results of all scripts on this node.
    private final long maxBytes;

    private final ReentrantLock lock = new ReentrantLock();

    /// In the order in which the scripts were started.
    @GuardedBy("lock")
    private final Map<String, Script> byId = new LinkedHashMap<>();

    Scripts(Database database, Requests requests) {
        this.database = database;
        this.requests = requests;
        resultMemory = database.memory().results();
        requestMemory = database.memory().requests();
        maxBytes = Math.min(MAX_BYTES, resultMemory.limitBytes() / 2);
    }

    Operation start(CallerDatabase caller, ExecuteScriptRequest request) {
        RequestFields.check(request);
        if (request.getExecMode() != ExecMode.EXEC_MODE_EXECUTE) {
            throw RequestParts.unsupported("ExecuteScript in mode " + request.getExecMode());
        }
        QueryExecution.checkPool(request.getPoolId());
        Script script =
                new Script(
                        ID_PREFIX + database.newId(),
                        caller.newSession(),
                        request.getScriptContent(),
                        kept(request),
                        new Cancellation(requests.env(), LIMIT, Status.TIMEOUT));
        // The call returns its own request memory when it is answered, but the script runs on.
        long bytes = REQUEST_SIZE.bytes(request.toByteArray());
        if (!requestMemory.tryTake(bytes)) {
            throw requestMemory.exhausted("This script", bytes);
        }
        boolean started = false;
        try {
            add(script);
            started = requests.spawn(() -> run(script, request, bytes));
            if (!started) {
                remove(script.id);
                return Replies.failed(requests.overloaded());
            }
        } finally {
            if (!started) {
                requestMemory.give(bytes);
            }
        }
        return script.operation();
    }

    /// How long the client wants its results to be kept.
    private static Duration kept(ExecuteScriptRequest request) {
        if (!request.hasResultsTtl()) {
            return KEPT;
        }
        long seconds = request.getResultsTtl().getSeconds();
        if (seconds < 0 || seconds > KEPT.toSeconds()) {
            throw RequestParts.bad(
                    "results_ttl is %d s; it must be between 0 and %d s"
                            .formatted(seconds, KEPT.toSeconds()));
        }
        return seconds == 0 ? KEPT : Duration.ofSeconds(seconds);
    }

    private void run(Script script, ExecuteScriptRequest request, long requestBytes) {
        Outcome outcome;
        try {
            outcome = script.run(request);
        } finally {
            requestMemory.give(requestBytes);
        }
        end(script, outcome);
    }

    private void add(Script script) {
        lock.lock();
        try {
            long now = requests.env().nanoTime();
            for (Script other : List.copyOf(byId.values())) {
                if (other.endedBefore(now - other.kept.toNanos())) {
                    drop(other);
                }
            }
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

    /// Keeps the outcome of the script, unless the client has forgotten the script, and then frees
    /// room by forgetting older ones.
    private void end(Script script, Outcome outcome) {
        lock.lock();
        try {
            script.outcome.set(outcome);
            if (byId.get(script.id) == script) {
                resultMemory.take(outcome.bytes());
            }
            while (byId.values().stream().mapToLong(Script::resultBytes).sum() > maxBytes
                    && byId.values().stream().filter(Script::hasEnded).count() > 1) {
                forgetOldest();
            }
        } finally {
            lock.unlock();
        }
    }

    /// Forgets the script that ended first. Returns false if no script has ended.
    @GuardedBy("lock")
    private boolean forgetOldest() {
        @Nullable Script oldest = null;
        for (Script script : byId.values()) {
            if (script.hasEnded() && (oldest == null || script.endedBefore(oldest.endNanos()))) {
                oldest = script;
            }
        }
        if (oldest != null) {
            drop(oldest);
        }
        return oldest != null;
    }

    /// Removes the script and returns its result memory.
    @GuardedBy("lock")
    private void drop(Script script) {
        if (byId.remove(script.id, script)) {
            resultMemory.give(script.resultBytes());
        }
    }

    private void remove(String id) {
        lock.lock();
        try {
            Script script = byId.get(id);
            if (script != null) {
                drop(script);
            }
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
            return Replies.failed(FetchScriptResultsResponse.getDefaultInstance(), failure);
        }
        long index = request.getResultSetIndex();
        if (index < 0 || index >= outcome.sets().size()) {
            throw RequestParts.bad(
                    "Result set %d does not exist; the script has %d result sets"
                            .formatted(index, outcome.sets().size()));
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

    /// A fetch token is the number of rows that were fetched before.
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
            // Reported below.
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

    /// @param stats empty if the client did not ask for statistics
    private record Outcome(
            List<ResultSet> sets,
            Optional<QueryStats> stats,
            Optional<Failure> failure,
            long bytes,
            long atNanos) {}

    private final class Script {
        private final String id;
        private final Session session;
        private final QueryContent content;
        private final Duration kept;
        private final Cancellation cancellation;

        /// Null while the script runs.
        private final AtomicReference<Outcome> outcome = new AtomicReference<>();

        Script(
                String id,
                Session session,
                QueryContent content,
                Duration kept,
                Cancellation cancellation) {
            this.id = id;
            this.session = session;
            this.content = content;
            this.kept = kept;
            this.cancellation = cancellation;
        }

        @SuppressWarnings("CatchThrowable") // every request gets an answer
        Outcome run(ExecuteScriptRequest request) {
            try (var results = new CollectedResults(requests.memoryOfResult(cancellation))) {
                QueryText text =
                        QueryText.ofQueryService(
                                QueryExecution.text(content),
                                RequestParts.types(request.getParametersMap()));
                QueryRun run =
                        new QueryRun(
                                TxControl.IMPLICIT,
                                RequestParts.parameters(
                                        request.getParametersMap(), text.sentTypes()),
                                LIMITS,
                                cancellation);
                RunSummary summary = database.run(session, text, run, results);
                if (results.bytes() > maxBytes) {
                    throw new StatusException(
                            Status.PRECONDITION_FAILED,
                            "The results of the script take %d bytes of memory; the limit is %d"
                                    .formatted(results.bytes(), maxBytes));
                }
                Optional<QueryStats> stats = stats(request, summary);
                return ended(results.sets(), stats, Optional.empty(), results.bytes());
            } catch (Throwable thrown) {
                return ended(List.of(), Optional.empty(), Optional.of(Failure.of(thrown)), 0);
            }
        }

        private Optional<QueryStats> stats(ExecuteScriptRequest request, RunSummary summary) {
            int mode = request.getStatsModeValue();
            if (mode < StatsMode.STATS_MODE_BASIC_VALUE) {
                return Optional.empty();
            }
            return Optional.of(
                    mode < StatsMode.STATS_MODE_FULL_VALUE
                            ? StatsProtos.of(summary)
                            : StatsProtos.of(summary, database.explain(summary.compiled())));
        }

        private Outcome ended(
                List<ResultSet> sets,
                Optional<QueryStats> stats,
                Optional<Failure> failure,
                long resultBytes) {
            int statsBytes = stats.map(QueryStats::getSerializedSize).orElse(0);
            long bytes = resultBytes + statsBytes + SCRIPT_BYTES + content.getSerializedSize();
            return new Outcome(sets, stats, failure, bytes, requests.env().nanoTime());
        }

        boolean hasEnded() {
            return outcome.get() != null;
        }

        /// Call only if the script has ended.
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
                            .setExecMode(ExecMode.EXEC_MODE_EXECUTE)
                            .setScriptContent(content);
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
                ended.stats().ifPresent(metadata::setExecStats);
                operation.setReady(true);
            }
            return operation.setMetadata(Any.pack(metadata.build())).build();
        }
    }
}
