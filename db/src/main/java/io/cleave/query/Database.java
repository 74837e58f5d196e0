package io.cleave.query;

import io.cleave.access.Caller;
import io.cleave.analysis.GeneratedColumnAnalyzer;
import io.cleave.base.Env;
import io.cleave.base.Status;
import io.cleave.base.StatusException;
import io.cleave.exec.spill.SpillFolder;
import io.cleave.function.call.Dialect;
import io.cleave.memory.MemoryBudget;
import io.cleave.plan.PlanText;
import io.cleave.plan.Program;
import io.cleave.plan.StepNames;
import io.cleave.query.metric.QueryMetrics;
import io.cleave.query.view.QueryViews;
import io.cleave.query.view.SystemView;
import io.cleave.query.view.SystemViews;
import io.cleave.schema.Access;
import io.cleave.tree.Scheme;
import io.cleave.txn.Isolation;
import io.cleave.txn.Transactions;
import io.cleave.yql.Parser;
import io.cleave.yql.ScriptParts;
import io.cleave.ytql.YtQueryFacts;
import io.cleave.ytql.YtSelectTyping;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Supplier;

/// The entry point of query processing: it takes a text with its parameters and returns rows. A
/// caller gets sessions, tables and rows from [#as]. Every text is run, compiled or explained in a
/// session, which knows its caller.
///
/// Threads: any. A call runs on the thread of its caller. It may wait there, for the log at a
/// commit or for the reader of the rows; only [#submit] does not wait.
public final class Database {
    private final Env env;
    private final MemoryBudget memory;
    private final Scheme scheme;
    private final Transactions transactions;
    private final PlanCache plans;
    private final QueryMetrics metrics;
    private final Sessions sessions;
    private final CompileMemory compiles;
    private final PreparedQueries prepared;
    private final TableRows rows;
    private final KeyedRows keyedRows;
    private final PlanText planText;
    private final CompiledRuns runs;
    private final QueryThreads threads;
    private final Ids ids;
    private final int nodeId;
    private final BackgroundWork background;

    /// `stored` is the tree of stored tables, which `background` works on. Memory that is kept for
    /// clients is taken from `memory`. Rows that do not fit into it are spilled, if there is a
    /// folder for them.
    public Database(
            Env env,
            int nodeId,
            Scheme stored,
            Transactions transactions,
            MemoryBudget memory,
            Optional<SpillFolder> spill,
            BackgroundWork background) {
        this.env = env;
        this.memory = memory;
        this.background = background;
        this.nodeId = nodeId;
        this.transactions = transactions;
        this.metrics = new QueryMetrics(env);
        this.ids = new Ids(env, nodeId);
        this.sessions = new Sessions(env, ids, transactions, memory.sessions());
        var views =
                new SystemViews(
                        stored,
                        nodeId,
                        background::followers,
                        background.ttlRuns(),
                        background.balancer(),
                        queryViews(stored.database()));
        this.scheme = new VisibleScheme(stored, views);
        this.compiles = new CompileMemory(memory.runs(), env);
        this.plans =
                new PlanCache(
                        env, stored.database(), scheme, compiles, memory.plans().limitBytes() / 2);
        this.prepared = new PreparedQueries(memory.plans().limitBytes() / 4);
        memory.plans().show(() -> plans.bytes() + prepared.bytes());
        this.rows = new TableRows(scheme, transactions, views);
        this.keyedRows = new KeyedRows(scheme, transactions);
        this.planText = new PlanText(scheme);
        this.runs =
                new CompiledRuns(
                        env,
                        scheme,
                        transactions,
                        views,
                        metrics,
                        CompiledRuns.Runners.of(env, memory.runs(), spill),
                        this::names);
        this.threads = new QueryThreads(runs);
    }

    private List<SystemView> queryViews(String path) {
        return new QueryViews(env, nodeId, path)
                .all(metrics, sessions::list, memory::figures, () -> plans.kept());
    }

    /// The memory that may be kept for clients.
    public MemoryBudget memory() {
        return memory;
    }

    /// The database as this caller may see and change it.
    public CallerDatabase as(Caller caller) {
        return new CallerDatabase(this, caller);
    }

    /// The path of the database, `/local`.
    public String path() {
        return scheme.database();
    }

    /// Users, groups and their permissions. The object is the same until one of them changes.
    public Access access() {
        return scheme.access();
    }

    Scheme scheme() {
        return scheme;
    }

    public Sessions sessions() {
        return sessions;
    }

    Session newSession(Caller caller) {
        return new Session(ids, env, transactions, caller, SessionClient.UNKNOWN);
    }

    public PreparedQueries prepared() {
        return prepared;
    }

    TableRows rows() {
        return rows;
    }

    KeyedRows keyedRows() {
        return keyedRows;
    }

    public BackgroundWork background() {
        return background;
    }

    public int nodeId() {
        return nodeId;
    }

    /// Returns a globally unique id.
    public String newId() {
        return ids.ulid();
    }

    /// The program of a text as the session sees it.
    public Compiled compile(Session session, QueryText text) {
        return compile(text.in(session));
    }

    Compiled compile(QueryText text) {
        return plans.compile(text);
    }

    /// What a text of YTsaurus' language says about its reads and joins. The text must have
    /// compiled.
    public YtQueryFacts facts(QueryText text) {
        return compiles.duringYt(
                text,
                () ->
                        YtSelectTyping.facts(
                                text.text(),
                                text.yt().orElseThrow(),
                                path(),
                                plans.tables(text),
                                GeneratedColumnAnalyzer.ANALYZER));
    }

    /// For a text that will be run many times. It is compiled by its first run.
    public PreparedText prepare(QueryText text) {
        return new PreparedText(plans, text);
    }

    /// Only checks whether a text is well-formed.
    public void parse(String text) {
        var _ = compiles.during(text, () -> DeepTexts.read(env, text, () -> Parser.parse(text)));
    }

    public Explanation explain(Compiled compiled) {
        // Views and generated columns may be nested deeply even if the text is not.
        return DeepTexts.onLargeStack(env, () -> PlanExplainer.of(planText, compiled));
    }

    /// In a text that changes the schema, later statements may use what earlier statements would
    /// create.
    public Explanation explain(Session session, QueryText text) {
        QueryText named = text.in(session);
        Compiled compiled;
        try {
            compiled = compile(named);
        } catch (StatusException e) {
            List<String> steps = steps(named, e);
            if (steps.isEmpty()) {
                throw e;
            }
            return explainParts(named, steps);
        }
        return explain(compiled);
    }

    /// Explains a script, as [#runScript] would run it.
    public Explanation explainScript(Session session, QueryText script) {
        return explainParts(script.in(session), parts(script));
    }

    private Explanation explainParts(QueryText text, List<String> parts) {
        return new PlanExplainer(env, plans).parts(text, parts);
    }

    private List<String> parts(QueryText script) {
        return read(script, ScriptParts::of);
    }

    private List<String> read(QueryText text, Function<String, List<String>> parts) {
        return compiles.during(
                text.text(),
                () -> DeepTexts.read(env, text.text(), () -> parts.apply(text.text())));
    }

    /// Runs a query if it ends at once; otherwise says that it needs a thread. A query ends at once
    /// only if its plan is cached. Every front end begins a query here, on the thread that has read
    /// the request and serves others, too.
    public Placement submit(Session session, QueryText text, TxControl control, QueryCall call) {
        QueryText named = text.in(session);
        Optional<Compiled> known = plans.find(named);
        return known.isEmpty()
                ? new Placement.NeedsThread(named, null)
                : threads.submit(session, named, known.get(), control, call);
    }

    /// The plan of a query, if it is cached.
    public Optional<Compiled> cached(Session session, QueryText text) {
        return plans.find(text.in(session));
    }

    /// Runs a query that does not write, if it ends at once, as [#submit] does. Empty if it needs a
    /// thread; what `results` has received is then to be discarded.
    public Optional<RunSummary> runHere(
            Session session, Compiled compiled, QueryRun run, Results results) {
        return threads.runHere(session, compiled, run, results);
    }

    /// Runs a query that [#submit] has not run.
    public RunSummary run(
            Session session, Placement.NeedsThread query, QueryRun run, Results results) {
        Compiled known = query.known();
        if (known == null) {
            return run(session, query.text(), run, results);
        }
        checkService(query.text(), known, run.control());
        return threads.run(session, known, run, results);
    }

    QueryThreads threads() {
        return threads;
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
                steps = run.control() instanceof TxControl.Implicit ? steps(named, e) : List.of();
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

    private Compiled compile(QueryText text, TxControl control) {
        Compiled compiled = compile(text);
        checkService(text, compiled, control);
        return compiled;
    }

    /// The table service has its own call for schema changes.
    private static void checkService(QueryText text, Compiled compiled, TxControl control) {
        boolean dataQuery =
                text.dialect().equals(Dialect.TABLE_SERVICE)
                        && !(control instanceof TxControl.Implicit);
        if (dataQuery && compiled.program().kind() == Program.Kind.SCHEME) {
            throw StepNames.notInDataQuery(compiled.program());
        }
    }

    /// Whether the text only changes the schema.
    public boolean changesScheme(Session session, QueryText text) {
        QueryText named = text.in(session);
        try {
            return compile(named).program().kind() == Program.Kind.SCHEME;
        } catch (StatusException e) {
            if (steps(named, e).isEmpty()) {
                throw e;
            }
            return true;
        }
    }

    /// The schema changes of a text, one by one. For a text that does not compile as a whole, but
    /// may compile when its first changes have been made. Empty if the text is not of this kind, or
    /// if it failed with `failure` because there was no memory to compile it.
    private List<String> steps(QueryText text, StatusException failure) {
        if (failure.status() == Status.OVERLOADED) {
            return List.of();
        }
        List<String> changes = read(text, ScriptParts::changes);
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

    /// Runs a script. Its parts run one after the other, each as a run of its own. If a part fails,
    /// the changes of the parts before it remain.
    public RunSummary runScript(Session session, QueryText script, QueryRun run, Results results) {
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
