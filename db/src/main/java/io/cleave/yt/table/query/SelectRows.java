package io.cleave.yt.table.query;

import io.cleave.base.Status;
import io.cleave.base.StatusException;
import io.cleave.plan.ReadInference;
import io.cleave.query.Database;
import io.cleave.query.Placement;
import io.cleave.query.QueryRun;
import io.cleave.query.ReadLimit;
import io.cleave.query.ResultLimits;
import io.cleave.query.RunReading;
import io.cleave.query.RunSummary;
import io.cleave.query.Session;
import io.cleave.query.TxControl;
import io.cleave.tree.Scheme;
import io.cleave.txn.Isolation;
import io.cleave.txn.PastGoneException;
import io.cleave.txn.Transaction;
import io.cleave.value.YsonNode;
import io.cleave.yt.command.Command;
import io.cleave.yt.command.CommandCall;
import io.cleave.yt.command.CommandDescriptor;
import io.cleave.yt.command.CommandParameters;
import io.cleave.yt.command.DataType;
import io.cleave.yt.command.NeedsThreadException;
import io.cleave.yt.error.YtCodes;
import io.cleave.yt.error.YtError;
import io.cleave.yt.error.YtException;
import io.cleave.yt.table.row.RowAnswers;
import io.cleave.yt.table.row.RowGate;

import java.util.Optional;

/// Runs a query and answers with its rows.
///
/// The rows that a query reads and returns are limited. Above a limit the query fails. With
/// `fail_on_incomplete_result=%false`, it answers with the rows that it has instead.
final class SelectRows implements Command {
    private final Database database;
    private final QueryTexts texts;
    private final QuerySnapshots snapshots;

    SelectRows(Database database, QueryTexts texts, QuerySnapshots snapshots) {
        this.database = database;
        this.texts = texts;
        this.snapshots = snapshots;
    }

    @Override
    public CommandDescriptor descriptor() {
        return new CommandDescriptor("select_rows", DataType.NULL, DataType.TABULAR, false, true);
    }

    @Override
    public boolean isPrompt() {
        return true;
    }

    /// Throws if the call needs a thread of its own. A query is tried on a network thread only if
    /// it reads the newest rows, may scan whole tables, and fails above its limits.
    private static void requireShort(CommandParameters parameters) {
        if (parameters.find("transaction_id").isPresent()
                || parameters.find("timestamp").isPresent()
                || !parameters.flag("allow_full_scan", true)
                || !QueryLimits.of(parameters).fails()) {
            throw new NeedsThreadException();
        }
    }

    @Override
    public void run(CommandCall call) {
        if (!call.mayWait()) {
            requireShort(call.parameters());
        }
        Session session = database.as(call.caller()).newSession();
        QueryTexts.Ready query = texts.compiled(call, session);
        if (!call.parameters().flag("allow_full_scan", true)) {
            refuseFullScan(query);
        }
        try {
            boolean _ =
                    snapshots.reading(
                            call,
                            transaction -> {
                                run(call, session, query, transaction);
                                return true;
                            });
        } catch (PastGoneException e) {
            throw RowAnswers.past(e);
        } catch (StatusException e) {
            if (e.status() == Status.UNAVAILABLE) {
                checkMounted(call, query);
            }
            throw e;
        }
    }

    /// Throws YTsaurus' error if a table of the query is not mounted.
    private void checkMounted(CommandCall call, QueryTexts.Ready query) {
        Scheme tree = database.as(call.caller()).tree();
        var gate = new RowGate(tree);
        for (String path : query.compiled().tablePaths()) {
            tree.find(path)
                    .ifPresent(
                            table ->
                                    gate.checkAllReadable(
                                            table, "/" + path.substring(database.path().length())));
        }
    }

    private void run(
            CommandCall call,
            Session session,
            QueryTexts.Ready query,
            Optional<Transaction> transaction) {
        QueryLimits limits = QueryLimits.of(call.parameters());
        long mostInput = limits.input();
        ReadLimit limit =
                limits.fails()
                        ? ReadLimit.failing(mostInput, () -> excessive("input", mostInput))
                        : ReadLimit.stopping(mostInput);
        var run =
                new QueryRun(
                        TxControl.auto(Isolation.SNAPSHOT_READ_ONLY),
                        query.values(),
                        ResultLimits.NONE,
                        call.cancellation(),
                        new RunReading(transaction, Optional.of(limit)));
        var answer =
                new SelectAnswer(
                        call,
                        limits.output(),
                        limits.fails(),
                        call.parameters().flag("enable_statistics", false));
        Optional<RunSummary> summary;
        try {
            summary = Optional.of(run(call, session, query, run, answer));
        } catch (SelectAnswer.Full _) {
            summary = Optional.empty();
        }
        answer.finish(
                new SelectStatistics(
                        summary,
                        query.compiled(),
                        limit,
                        answer.rowCount(),
                        answer.isIncomplete()));
    }

    private RunSummary run(
            CommandCall call,
            Session session,
            QueryTexts.Ready query,
            QueryRun run,
            SelectAnswer answer) {
        if (!call.mayWait()) {
            return database.runHere(session, query.compiled(), run, answer)
                    .orElseThrow(NeedsThreadException::new);
        }
        var planned = new Placement.NeedsThread(query.text(), query.compiled());
        return database.run(session, planned, run, answer);
    }

    private static void refuseFullScan(QueryTexts.Ready query) {
        boolean full =
                ReadInference.of(query.compiled().program(), query.values())
                        .filter(ReadInference::isFullScan)
                        .isPresent();
        if (full) {
            throw new YtException(
                    YtCodes.GENERIC,
                    "Primary table key is not used in the where clause (full scan); the query is"
                            + " inefficient, consider rewriting it");
        }
    }

    static YtException excessive(String what, long limit) {
        int code =
                what.equals("input")
                        ? YtCodes.INPUT_ROW_LIMIT_EXCEEDED
                        : YtCodes.OUTPUT_ROW_LIMIT_EXCEEDED;
        return YtError.of(
                        code,
                        "Query terminated prematurely due to excessive "
                                + what
                                + "; consider rewriting your query or changing "
                                + what
                                + " limit")
                .with(what + "_row_limit", new YsonNode.Int64(limit))
                .exception();
    }
}
