package io.cleave.query;

import io.cleave.analysis.Dialect;
import io.cleave.base.Env;
import io.cleave.base.StatusException;
import io.cleave.cluster.Partitioner;
import io.cleave.cluster.Scheme;
import io.cleave.exec.SpillFolder;
import io.cleave.index.IndexBuilds;
import io.cleave.memory.MemoryBudget;
import io.cleave.plan.Operations;
import io.cleave.plan.PlanText;
import io.cleave.plan.Program;
import io.cleave.ttl.TtlRuns;
import io.cleave.txn.Isolation;
import io.cleave.txn.Transactions;
import io.cleave.yql.Parser;
import io.cleave.yql.ScriptParts;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/// The front door: a text with its parameters goes in, rows come out.
///
/// Threads: any. A call runs on the thread of its caller and may wait there, for the log at a
/// commit or for whoever takes the rows.
public final class Database {
    /// Of databases that are part of something else, mostly a test.
    private static final long DEFAULT_HEAP_BYTES = 2L << 30;

    private final Env env;
    private final MemoryBudget memory;
    private final Scheme scheme;
    private final Transactions transactions;
    private final PlanCache plans;
    private final QueryMetrics metrics;
    private final Sessions sessions;
    private final PreparedQueries prepared;
    private final TableRows rows;
    private final PlanText planText;
    private final CompiledRuns runs;
    private final Ids ids;
    private final int nodeId;
    private final Optional<IndexBuilds> indexBuilds;
    private final Optional<TtlRuns> ttlRuns;

    /// Queries keep all they need in memory.
    public Database(Env env, Scheme stored, Transactions transactions, int nodeId) {
        this(env, stored, transactions, nodeId, Optional.empty());
    }

    /// Queries may put rows that do not fit into memory into the folder.
    public Database(
            Env env,
            Scheme stored,
            Transactions transactions,
            int nodeId,
            Optional<SpillFolder> spill) {
        this(env, stored, transactions, nodeId, spill, Optional.empty());
    }

    /// The same; `indexBuilds` are those of the stored tables.
    public Database(
            Env env,
            Scheme stored,
            Transactions transactions,
            int nodeId,
            Optional<SpillFolder> spill,
            Optional<IndexBuilds> indexBuilds) {
        this(env, stored, transactions, nodeId, spill, indexBuilds, Optional.empty());
    }

    /// The same; `ttlRuns` erase what has expired in them.
    public Database(
            Env env,
            Scheme stored,
            Transactions transactions,
            int nodeId,
            Optional<SpillFolder> spill,
            Optional<IndexBuilds> indexBuilds,
            Optional<TtlRuns> ttlRuns) {
        this(
                env,
                stored,
                transactions,
                nodeId,
                new MemoryBudget(DEFAULT_HEAP_BYTES, env),
                spill,
                indexBuilds,
                ttlRuns,
                Optional.empty());
    }

    /// The same; the partitioner splits and merges their tablets. What clients make it keep is
    /// taken from the budget.
    public Database(
            Env env,
            Scheme stored,
            Transactions transactions,
            int nodeId,
            MemoryBudget memory,
            Optional<SpillFolder> spill,
            Optional<IndexBuilds> indexBuilds,
            Optional<TtlRuns> ttlRuns,
            Optional<Partitioner> partitioner) {
        this.env = env;
        this.memory = memory;
        this.indexBuilds = indexBuilds;
        this.ttlRuns = ttlRuns;
        this.nodeId = nodeId;
        this.transactions = transactions;
        this.metrics = new QueryMetrics(env);
        this.ids = new Ids(env, nodeId);
        this.sessions = new Sessions(env, ids, transactions, memory.sessions());
        var views =
                new SystemViews(
                        stored,
                        nodeId,
                        () -> indexBuilds.map(all -> all.followers().list()).orElse(List.of()),
                        ttlRuns,
                        partitioner,
                        queryViews(stored));
        this.scheme = new VisibleScheme(stored, views);
        this.plans = new PlanCache(env, stored.database(), scheme, memory.plans().limitBytes() / 2);
        this.prepared = new PreparedQueries(memory.plans().limitBytes() / 4);
        memory.plans().show(() -> plans.bytes() + prepared.bytes());
        this.rows = new TableRows(scheme, transactions, views);
        this.planText = new PlanText(scheme);
        this.runs =
                new CompiledRuns(
                        env,
                        scheme,
                        transactions,
                        views,
                        metrics,
                        memory.runs(),
                        spill,
                        this::names);
    }

    private List<SystemView> queryViews(Scheme stored) {
        String directory = stored.database() + "/" + SystemViews.DIRECTORY;
        List<SystemView> all = new ArrayList<>(TopQueriesView.all(env, directory, metrics));
        all.add(new QueryMetricsView(directory, metrics));
        all.add(QuerySessionsView.of(directory, nodeId, sessions::list));
        all.add(MemoryPoolsView.of(directory, nodeId, memory::figures));
        all.add(CompileCacheView.of(directory, nodeId, () -> plans.kept()));
        return all;
    }

    /// What clients may make it keep.
    public MemoryBudget memory() {
        return memory;
    }

    /// The tree as users see it, system views included.
    public Scheme scheme() {
        return scheme;
    }

    public Sessions sessions() {
        return sessions;
    }

    public PreparedQueries prepared() {
        return prepared;
    }

    /// Rows by key and by range, without a query text.
    public TableRows rows() {
        return rows;
    }

    /// Indexes that are being built, where they can be.
    public Optional<IndexBuilds> indexBuilds() {
        return indexBuilds;
    }

    /// Who erases expired rows, where anyone does.
    public Optional<TtlRuns> ttlRuns() {
        return ttlRuns;
    }

    public int nodeId() {
        return nodeId;
    }

    /// An id that no other thing has.
    public String newId() {
        return ids.ulid();
    }

    /// The program of a text that was compiled before and still holds.
    public Optional<Compiled> compiledBefore(QueryText text) {
        return plans.find(text);
    }

    public Compiled compile(QueryText text) {
        return plans.compile(text);
    }

    /// For a text that is going to be run many times. It is compiled when it is first run.
    public PreparedText prepare(QueryText text) {
        return new PreparedText(plans, text);
    }

    /// Only looks whether a text is well-formed.
    public void parse(String text) {
        var _ = DeepTexts.read(env, text, () -> Parser.parse(text));
    }

    public Explanation explain(Compiled compiled) {
        // Views and generated columns may be deep where the text is not.
        return DeepTexts.onLargeStack(env, () -> Explaining.of(planText, compiled));
    }

    /// Of a text that changes the schema, later statements may be of what earlier ones would make.
    public Explanation explain(QueryText text) {
        Compiled compiled;
        try {
            compiled = compile(text);
        } catch (StatusException e) {
            List<String> steps = steps(text);
            if (steps.isEmpty()) {
                throw e;
            }
            return explainParts(text, steps);
        }
        return explain(compiled);
    }

    /// The same of what [#runScript] takes.
    public Explanation explainScript(QueryText script) {
        return explainParts(script, parts(script));
    }

    private Explanation explainParts(QueryText text, List<String> parts) {
        return DeepTexts.onLargeStack(env, () -> new Explaining(plans).parts(text, parts));
    }

    private List<String> parts(QueryText script) {
        return DeepTexts.read(env, script.text(), () -> ScriptParts.of(script.text()));
    }

    /// Whether running it waits for nothing but memory and files: no commit, no scan, no catalog.
    public boolean runsWithoutWaiting(Compiled compiled, TxControl control) {
        return switch (control) {
            case TxControl.Begin _, TxControl.Implicit _ -> isLight(compiled);
            // What was written before would have to reach the log.
            case TxControl.Existing(String _, boolean commit) -> !commit && isLight(compiled);
        };
    }

    private static boolean isLight(Compiled compiled) {
        return switch (compiled.program().kind()) {
            case CONSTANT -> LightWork.is(compiled.program());
            // All rows of a system view are made for a read of one.
            case POINT_READ -> !readsView(compiled);
            case READ, WRITE, BATCH, SCHEME -> false;
        };
    }

    private static boolean readsView(Compiled compiled) {
        for (Compiled.TableAt table : compiled.tables()) {
            if (SystemViews.holds(table.id())) {
                return true;
            }
        }
        return false;
    }

    /// Runs what [#compiledBefore] found.
    public RunSummary run(Session session, Compiled compiled, QueryRun run, Results results) {
        try (Session.Use use = session.enter(run.cancellation())) {
            return runs.run(use, compiled, run, results);
        }
    }

    /// Whether it is worth trying [#runBriefly].
    public boolean mayBeBrief(Compiled compiled, TxControl control) {
        boolean alone =
                switch (control) {
                    case TxControl.Begin(Isolation _, boolean commit) -> commit;
                    case TxControl.Implicit _ -> true;
                    case TxControl.Existing _ -> false;
                };
        return alone
                && compiled.program().kind() == Program.Kind.READ
                && compiled.brevity().isWorthATry();
    }

    /// Runs a read that is a transaction of its own, if it touches few rows: then it waits for
    /// nothing but memory and files. Empty if it touches more, and what `results` got is void.
    public Optional<RunSummary> runBriefly(
            Session session, Compiled compiled, QueryRun run, Results results) {
        try (Session.Use use = session.enter(run.cancellation())) {
            return Optional.of(runs.runBriefly(use, compiled, run, results));
        } catch (Brevity.TooLong _) {
            compiled.brevity().wasLong();
            return Optional.empty();
        }
    }

    /// Whether it is worth trying [#runLater].
    public boolean mayCommitLater(Compiled compiled, TxControl control) {
        boolean alone =
                switch (control) {
                    case TxControl.Begin(Isolation isolation, boolean commit) ->
                            commit && isolation == Isolation.SERIALIZABLE;
                    case TxControl.Implicit _ -> true;
                    case TxControl.Existing _ -> false;
                };
        return alone && LightWork.isWrite(compiled.program());
    }

    /// Who is told how a run has ended, on a thread that others wait for, too: it must not wait.
    public interface Ending {
        void succeeded(RunSummary summary);

        void failed(StatusException why);
    }

    /// Runs a write that is a transaction of its own up to its commit, and does not wait for that:
    /// `ending` is told when the log has it. False if it would have to wait for something else;
    /// then nothing has happened, and nobody is told.
    public boolean runLater(
            Session session, Compiled compiled, QueryRun run, Results results, Ending ending) {
        Session.Use use = session.enter(run.cancellation());
        boolean taken = false;
        try {
            taken = runs.runLater(use, compiled, run, results, ending);
        } finally {
            if (!taken) {
                use.close();
            }
        }
        return taken;
    }

    /// Compiles and runs. A text that does not compile ends its transaction too.
    public RunSummary run(Session session, QueryText text, QueryRun run, Results results) {
        List<String> steps = List.of();
        try (Session.Use use = session.enter(run.cancellation())) {
            QueryText named = text.in(session);
            Compiled compiled = null;
            try {
                compiled = compileInside(use, () -> compile(named, run.control()), run);
            } catch (StatusException e) {
                steps = run.control() instanceof TxControl.Implicit ? steps(named) : List.of();
                if (steps.isEmpty()) {
                    throw e;
                }
            }
            if (compiled != null) {
                return runs.run(use, compiled, run, results);
            }
        }
        return runParts(session, text, steps, run, results);
    }

    /// The table service has a call of its own for what changes the schema.
    private Compiled compile(QueryText text, TxControl control) {
        Compiled compiled = compile(text);
        boolean dataQuery =
                text.dialect().equals(Dialect.TABLE_SERVICE)
                        && !(control instanceof TxControl.Implicit);
        if (dataQuery && compiled.program().kind() == Program.Kind.SCHEME) {
            throw Operations.notInDataQuery(compiled.program());
        }
        return compiled;
    }

    /// Whether the text changes the schema and does nothing else.
    public boolean changesScheme(QueryText text) {
        try {
            return compile(text).program().kind() == Program.Kind.SCHEME;
        } catch (StatusException e) {
            if (steps(text).isEmpty()) {
                throw e;
            }
            return true;
        }
    }

    /// Of a text that does not compile, and may when what it makes first is there: its changes of
    /// the schema, one by one. Empty if it is not of this kind.
    private List<String> steps(QueryText text) {
        List<String> changes =
                DeepTexts.read(env, text.text(), () -> ScriptParts.changes(text.text()));
        try {
            if (!changes.isEmpty()) {
                var _ = compile(text.withText(changes.getFirst()));
            }
            return changes;
        } catch (StatusException e) {
            return List.of();
        }
    }

    /// The same of a text that was prepared.
    public RunSummary run(Session session, PreparedText text, QueryRun run, Results results) {
        try (Session.Use use = session.enter(run.cancellation())) {
            Compiled compiled = compileInside(use, () -> text.compiled(session), run);
            return runs.run(use, compiled, run, results);
        }
    }

    /// Runs a text outside every session; nothing stays open after it.
    public RunSummary runAlone(QueryText text, QueryRun run, Results results) {
        return run(new Session(ids, env, transactions), text, run, results);
    }

    /// The same of a script: its parts are runs of their own, one after the other. What the first
    /// ones have done stays when a later one fails.
    public RunSummary runScript(QueryText script, QueryRun run, Results results) {
        var session = new Session(ids, env, transactions);
        return runParts(session, script, parts(script), run, results);
    }

    private RunSummary runParts(
            Session session, QueryText text, List<String> parts, QueryRun run, Results results) {
        var numbered = new ScriptResults(results);
        var summaries = new ArrayList<RunSummary>();
        for (String part : parts) {
            numbered.nextPart();
            summaries.add(run(session, text.withText(part), run, numbered));
        }
        return RunSummary.ofAll(summaries);
    }

    private static Compiled compileInside(
            Session.Use use, Supplier<Compiled> compiler, QueryRun run) {
        boolean compiled = false;
        try {
            Compiled program = compiler.get();
            compiled = true;
            return program;
        } finally {
            if (!compiled && run.control() instanceof TxControl.Existing(String txId, boolean _)) {
                use.abandon(txId);
            }
        }
    }

    /// What a session's statements do to the tree, with its own names in it.
    public SessionNames names(Session session) {
        return new SessionNames(env, scheme, sessions, session);
    }

    public String begin(Session session, Isolation isolation) {
        try (Session.Use use = session.enter(Cancellation.byDefault(env))) {
            return use.begin(isolation);
        }
    }

    public void commit(Session session, String txId) {
        try (Session.Use use = session.enter(Cancellation.byDefault(env))) {
            Commits.commit(use.take(txId));
        }
    }

    public void rollback(Session session, String txId) {
        try (Session.Use use = session.enter(Cancellation.byDefault(env))) {
            use.take(txId).rollback();
        }
    }
}
