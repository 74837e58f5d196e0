package io.cleave.query;

import io.cleave.base.Env;
import io.cleave.base.StatusException;
import io.cleave.control.TabletBalancer;
import io.cleave.exec.SpillFolder;
import io.cleave.function.call.Dialect;
import io.cleave.index.IndexBuilds;
import io.cleave.memory.MemoryBudget;
import io.cleave.plan.Operations;
import io.cleave.plan.PlanText;
import io.cleave.plan.Program;
import io.cleave.tree.Scheme;
import io.cleave.ttl.TtlRuns;
import io.cleave.txn.Isolation;
import io.cleave.txn.Transactions;
import io.cleave.yql.Parser;
import io.cleave.yql.ScriptParts;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/// The entry point of query processing: it takes a text with its parameters and returns rows.
///
/// Threads: any. A call runs on the thread of its caller and may wait there, for the log at a
/// commit or for the reader of the rows.
public final class Database {
    /// For databases that are embedded in something else, mostly a test.
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

    /// A database whose queries keep all rows in memory.
    public Database(Env env, Scheme stored, Transactions transactions, int nodeId) {
        this(env, stored, transactions, nodeId, Optional.empty());
    }

    /// A database whose queries may spill rows that do not fit into memory to the folder.
    public Database(
            Env env,
            Scheme stored,
            Transactions transactions,
            int nodeId,
            Optional<SpillFolder> spill) {
        this(env, stored, transactions, nodeId, spill, Optional.empty());
    }

    /// A database with index builds. `indexBuilds` are those of the stored tables.
    public Database(
            Env env,
            Scheme stored,
            Transactions transactions,
            int nodeId,
            Optional<SpillFolder> spill,
            Optional<IndexBuilds> indexBuilds) {
        this(env, stored, transactions, nodeId, spill, indexBuilds, Optional.empty());
    }

    /// A database with TTL. `ttlRuns` erase the expired rows of the stored tables.
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

    /// A database with a balancer, which splits and merges tablets. Memory that is kept for clients
    /// is taken from the budget.
    public Database(
            Env env,
            Scheme stored,
            Transactions transactions,
            int nodeId,
            MemoryBudget memory,
            Optional<SpillFolder> spill,
            Optional<IndexBuilds> indexBuilds,
            Optional<TtlRuns> ttlRuns,
            Optional<TabletBalancer> balancer) {
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
                        balancer,
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

    /// The memory that may be kept for clients.
    public MemoryBudget memory() {
        return memory;
    }

    /// The tree of the schema as users see it, including system views.
    public Scheme scheme() {
        return scheme;
    }

    public Sessions sessions() {
        return sessions;
    }

    public PreparedQueries prepared() {
        return prepared;
    }

    /// Access to rows by key and by range, without a query text.
    public TableRows rows() {
        return rows;
    }

    /// The index builds, if this database can build indexes.
    public Optional<IndexBuilds> indexBuilds() {
        return indexBuilds;
    }

    /// The TTL runs that erase expired rows, if there are any.
    public Optional<TtlRuns> ttlRuns() {
        return ttlRuns;
    }

    public int nodeId() {
        return nodeId;
    }

    /// Returns a globally unique id.
    public String newId() {
        return ids.ulid();
    }

    /// The cached program of a text, if it is still valid.
    public Optional<Compiled> compiledBefore(QueryText text) {
        return plans.find(text);
    }

    public Compiled compile(QueryText text) {
        return plans.compile(text);
    }

    /// For a text that will be run many times. It is compiled by its first run.
    public PreparedText prepare(QueryText text) {
        return new PreparedText(plans, text);
    }

    /// Only checks whether a text is well-formed.
    public void parse(String text) {
        var _ = DeepTexts.read(env, text, () -> Parser.parse(text));
    }

    public Explanation explain(Compiled compiled) {
        // Views and generated columns may be nested deeply even if the text is not.
        return DeepTexts.onLargeStack(env, () -> Explaining.of(planText, compiled));
    }

    /// In a text that changes the schema, later statements may use what earlier statements would
    /// create.
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

    /// Explains a script, as [#runScript] would run it.
    public Explanation explainScript(QueryText script) {
        return explainParts(script, parts(script));
    }

    private Explanation explainParts(QueryText text, List<String> parts) {
        return DeepTexts.onLargeStack(env, () -> new Explaining(plans).parts(text, parts));
    }

    private List<String> parts(QueryText script) {
        return DeepTexts.read(env, script.text(), () -> ScriptParts.of(script.text()));
    }

    /// Whether a run waits only for memory and files: it has no commit, no scan and no catalog
    /// change.
    public boolean runsWithoutWaiting(Compiled compiled, TxControl control) {
        return switch (control) {
            case TxControl.Begin _, TxControl.Implicit _ -> isLight(compiled);
            // A commit of earlier writes would have to wait for the log.
            case TxControl.Existing(String _, boolean commit) -> !commit && isLight(compiled);
        };
    }

    private static boolean isLight(Compiled compiled) {
        return switch (compiled.program().kind()) {
            case CONSTANT -> LightWork.is(compiled.program());
            // A read of one row of a system view makes all its rows.
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

    /// Runs a program that [#compiledBefore] found.
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

    /// Runs a read in its own transaction, if it touches few rows. Then it waits only for memory
    /// and files. Empty if it touches too many rows; the caller must then discard what `results`
    /// received.
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

    /// Receives the end of a run. It is called on a thread that others wait for, too, so it must
    /// not block.
    public interface Ending {
        void succeeded(RunSummary summary);

        void failed(StatusException why);
    }

    /// Runs a write in its own transaction up to its commit, and does not wait for the commit.
    /// `ending` is called when the log has the commit. Returns false if the run would have to wait
    /// for something else; then nothing has happened and `ending` is not called.
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

    /// Compiles and runs the text. A text that does not compile also ends its transaction.
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

    /// The table service has its own call for schema changes.
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

    /// Whether the text only changes the schema.
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

    /// The schema changes of a text, one by one. For a text that does not compile as a whole, but
    /// may compile when its first changes have been made. Empty if the text is not of this kind.
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

    /// Runs a prepared text. A text that does not compile also ends its transaction.
    public RunSummary run(Session session, PreparedText text, QueryRun run, Results results) {
        try (Session.Use use = session.enter(run.cancellation())) {
            Compiled compiled = compileInside(use, () -> text.compiled(session), run);
            return runs.run(use, compiled, run, results);
        }
    }

    /// Runs a text outside of any session. Nothing stays open after it.
    public RunSummary runAlone(QueryText text, QueryRun run, Results results) {
        return run(new Session(ids, env, transactions), text, run, results);
    }

    /// Runs a script outside of any session. Its parts run one after the other, each as a run of
    /// its own. If a part fails, the changes of the parts before it remain.
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

    /// The session's view of the schema tree, with its own names.
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
