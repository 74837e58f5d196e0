package io.cleave.query;

import io.cleave.base.Env;
import io.cleave.base.Issue;
import io.cleave.base.Status;
import io.cleave.base.StatusException;
import io.cleave.exec.ProgramRunner;
import io.cleave.exec.ResultSink;
import io.cleave.exec.RunOptions;
import io.cleave.exec.spill.SpillFolder;
import io.cleave.memory.MemoryPool;
import io.cleave.plan.DataSteps;
import io.cleave.plan.Program;
import io.cleave.plan.StepNames;
import io.cleave.query.metric.QueryMetrics;
import io.cleave.query.metric.TableAccess;
import io.cleave.query.view.SystemViews;
import io.cleave.tree.Scheme;
import io.cleave.txn.Isolation;
import io.cleave.txn.Transaction;
import io.cleave.txn.Transactions;
import io.cleave.value.Value;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Function;
import java.util.function.LongSupplier;

/// Runs programs inside sessions: in their own transaction, in an open transaction, or as changes
/// of the schema.
///
/// Threads: any. A run stays on the thread of its caller and may wait there.
final class CompiledRuns {
    private final Env env;
    private final LongSupplier clock;
    private final Scheme scheme;
    private final Transactions transactions;
    private final SystemViews views;
    private final QueryMetrics metrics;
    private final Function<Session, SessionNames> names;
    private final Runners runners;
    private final PointRuns pointRuns;

    /// `names` returns the view of a session on the scheme tree, through which its statements
    /// change it.
    CompiledRuns(
            Env env,
            Scheme scheme,
            Transactions transactions,
            SystemViews views,
            QueryMetrics metrics,
            Runners runners,
            Function<Session, SessionNames> names) {
        this.env = env;
        this.scheme = scheme;
        this.transactions = transactions;
        this.views = views;
        this.metrics = metrics;
        this.names = names;
        pointRuns = new PointRuns(env, transactions, metrics);
        this.runners = runners;
        clock = env::wallMicros;
    }

    /// What programs are run with.
    ///
    /// @param usual may use other threads, and wait
    /// @param onOneThread for runs that must stay on their thread
    /// @param byRow reads row by row, and may wait
    record Runners(ProgramRunner usual, ProgramRunner onOneThread, ProgramRunner byRow) {
        /// Rows that do not fit into `memory` are spilled, if there is a folder for them.
        static Runners of(Env env, MemoryPool memory, Optional<SpillFolder> spill) {
            int processors = Runtime.getRuntime().availableProcessors();
            return new Runners(
                    new ProgramRunner(RunOptions.DEFAULT, memory, env, processors, spill),
                    new ProgramRunner(RunOptions.DEFAULT.byRow().withoutWaiting(), memory),
                    new ProgramRunner(RunOptions.DEFAULT.byRow(), memory, env, 0, spill));
        }
    }

    RunSummary run(Session.Use use, Compiled compiled, QueryRun run, Results results) {
        return PointRuns.suits(compiled, run.control()) && run.reading().suitsPoints()
                ? pointRuns.run(use, compiled, compiled.point().orElseThrow(), run, results)
                : new Running(use, compiled, run, results).run();
    }

    /// Throws [ShortRuns.TooLong] if it touches more rows than a short run may.
    RunSummary runIfShort(Session.Use use, Compiled compiled, QueryRun run, Results results) {
        return new Running(use, compiled, run, results).runIfShort();
    }

    /// See [QueryThreads#runLater].
    boolean runLater(Session.Use use, Compiled compiled, QueryRun run, QueryCall call) {
        return new Running(use, compiled, run, call.fewResults()).runLater(call);
    }

    /// One query inside a session.
    private final class Running {
        private final Session.Use use;
        private final Compiled compiled;
        private final Program program;
        private final QueryRun run;
        private final Results results;
        private ProgramRunner with = runners.usual();
        private int mostRows = Integer.MAX_VALUE;
        private int checksLeft = Integer.MAX_VALUE;
        private long workedNanos;

        Running(Session.Use use, Compiled compiled, QueryRun run, Results results) {
            this.use = use;
            this.compiled = compiled;
            this.program = compiled.program();
            this.run = run;
            this.results = results;
            if (run.reading().limit().filter(ReadLimit::countsByRow).isPresent()) {
                with = runners.byRow();
            }
            use.runs(compiled.meter());
        }

        RunSummary run() {
            run.cancellation().startTurn();
            RunSummary summary = runAny();
            boolean waited = program.kind() == Program.Kind.WRITE;
            count(summary, waited ? env.nanoTime() : workedNanos);
            return summary;
        }

        /// Adds a run that ended at this time to the metrics.
        private void count(RunSummary summary, long endNanos) {
            long micros = (endNanos - run.cancellation().begunNanos()) / 1000;
            metrics.add(summary, micros);
        }

        private RunSummary runAny() {
            if (run.reading().transaction().isPresent()) {
                results.transaction("");
                return execute(run.reading().transaction().get());
            }
            return switch (run.control()) {
                case TxControl.Implicit _ when program.kind() == Program.Kind.SCHEME -> scheme();
                case TxControl.Implicit _ when program.kind() == Program.Kind.BATCH -> batch();
                case TxControl.Implicit _ -> alone(Isolation.SERIALIZABLE);
                case TxControl.Begin(Isolation isolation, boolean commit) when commit ->
                        alone(isolation);
                case TxControl.Begin(Isolation isolation, boolean _) ->
                        inOpen(use.open(isolation), false);
                case TxControl.Existing(String txId, boolean commit) -> inOpen(txId, commit);
            };
        }

        RunSummary runIfShort() {
            with = runners.onOneThread();
            mostRows = ShortRuns.MOST_ROWS;
            checksLeft = ShortRuns.MOST_CHECKS;
            return run();
        }

        private RunSummary scheme() {
            results.transaction("");
            var filling =
                    new TableFilling(
                            scheme,
                            transactions,
                            (query, transaction, rows) ->
                                    execute(
                                            query,
                                            new RunTransaction(
                                                    transaction, views, run.cancellation()),
                                            rows));
            List<Issue> issues =
                    new SchemeRun(scheme, filling, names.apply(use.session()))
                            .run(program, run.cancellation());
            return summary(issues, List.of());
        }

        private RunSummary batch() {
            results.transaction("");
            var watched = new ArrayList<TableAccess>();
            new BatchRun(transactions, run.cancellation())
                    .run(
                            program,
                            part -> {
                                var counted = new RunTransaction(part, views, run.cancellation());
                                execute(program, counted, limited());
                                watched.addAll(counted.accesses());
                            });
            return summary(program.warnings(), watched);
        }

        /// Runs the query in a transaction of its own.
        private RunSummary alone(Isolation isolation) {
            check(isolation);
            // A query that only reads is serializable at its snapshot without taking locks.
            boolean reads = program.kind() != Program.Kind.WRITE;
            Isolation lighter =
                    reads && isolation == Isolation.SERIALIZABLE
                            ? Isolation.SNAPSHOT_READ_ONLY
                            : isolation;
            Transaction transaction = transactions.begin(lighter);
            try {
                results.transaction("");
                RunSummary summary = execute(transaction);
                checkBeforeCommit(transaction);
                Commits.commit(transaction);
                return summary;
            } finally {
                // After a commit this does nothing.
                transaction.rollback();
            }
        }

        boolean runLater(QueryCall call) {
            with = runners.onOneThread();
            Transaction transaction = transactions.begin(Isolation.SERIALIZABLE);
            boolean taken = false;
            try {
                results.transaction("");
                RunSummary summary = execute(transaction);
                checkBeforeCommit(transaction);
                taken =
                        transaction.commitLater(
                                outcome -> {
                                    use.close();
                                    StatusException failure = Commits.failure(outcome);
                                    if (failure == null) {
                                        count(summary, env.nanoTime());
                                        call.succeeded(summary);
                                    } else {
                                        call.failed(failure);
                                    }
                                });
            } finally {
                if (!taken) {
                    transaction.rollback();
                }
            }
            return taken;
        }

        /// Any failure also ends the transaction and invalidates its id.
        private RunSummary inOpen(String txId, boolean commit) {
            Transaction transaction = use.find(txId);
            boolean done = false;
            try {
                check(transaction.isolation());
                results.transaction(commit ? "" : txId);
                RunSummary summary = execute(transaction);
                if (commit) {
                    checkBeforeCommit(transaction);
                    Commits.commit(use.take(txId));
                } else if (transaction.isolation().interactive()) {
                    transaction.rest();
                } else {
                    use.renew(txId);
                }
                done = true;
                return summary;
            } finally {
                if (!done) {
                    use.abandon(txId);
                    transaction.rollback();
                }
            }
        }

        /// A run of few rows may not have checked yet whether its client is still waiting.
        private void checkBeforeCommit(Transaction transaction) {
            if (transaction.hasWrites()) {
                run.cancellation().check();
            }
        }

        private void check(Isolation isolation) {
            if (program.kind() == Program.Kind.SCHEME) {
                throw new StatusException(
                        Status.PRECONDITION_FAILED,
                        "Scheme operations cannot be executed inside transaction");
            }
            if (program.asyncIndexTable().isPresent() && isolation != Isolation.STALE_READ_ONLY) {
                throw new StatusException(
                        Status.PRECONDITION_FAILED,
                        Issue.error(
                                Issue.BAD_REQUEST,
                                "Read operation can be performed on async index table: "
                                        + program.asyncIndexTable().get()
                                        + " only with StaleRO isolation level"));
            }
            if (program.kind() == Program.Kind.BATCH) {
                throw new StatusException(
                        Status.PRECONDITION_FAILED,
                        "BATCH operation can be executed only in the implicit transaction mode.");
            }
            if (!isolation.writes()) {
                for (Program.Step step : program.steps()) {
                    if (step instanceof DataSteps.Write write) {
                        throw StepNames.notInReadOnly(write);
                    }
                }
            }
        }

        private RunSummary execute(Transaction transaction) {
            RunTransaction watched =
                    new RunTransaction(
                            transaction,
                            views,
                            run.cancellation(),
                            mostRows,
                            run.reading().limit().orElse(null));
            execute(program, watched, limited());
            return summary(program.warnings(), watched.accesses(), transaction.staleMicros());
        }

        private LimitedResults limited() {
            return new LimitedResults(
                    results, run.limits().of(program), run.cancellation(), mostRows);
        }

        private void check() {
            run.cancellation().check();
            if (checksLeft != Integer.MAX_VALUE && --checksLeft < 0) {
                throw new ShortRuns.TooLong();
            }
        }

        private void execute(Program part, RunTransaction watched, ResultSink sink) {
            Map<String, Value> values = Parameters.bind(part.parameters(), run.parameters());
            String user = use.session().caller().user();
            with.run(part, watched, values, clock, env.random(), user, sink, this::check);
        }

        private RunSummary summary(List<Issue> issues, List<TableAccess> accesses) {
            return summary(issues, accesses, OptionalLong.empty());
        }

        private RunSummary summary(
                List<Issue> issues, List<TableAccess> accesses, OptionalLong staleMicros) {
            long now = env.nanoTime();
            workedNanos = now;
            use.ended(now);
            long micros = (now - run.cancellation().begunNanos()) / 1000;
            List<Issue> all = issues;
            for (TableAccess access : accesses) {
                List<Issue> warnings = access.warnings();
                if (!warnings.isEmpty()) {
                    // Parts of a batch may have the same warnings.
                    all = new ArrayList<>(all);
                    all.removeAll(warnings);
                    all.addAll(warnings);
                }
            }
            return new RunSummary(compiled, all, accesses, micros, staleMicros);
        }
    }
}
