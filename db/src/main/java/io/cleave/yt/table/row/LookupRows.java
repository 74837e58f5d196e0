package io.cleave.yt.table.row;

import io.cleave.base.Bytes;
import io.cleave.base.StatusException;
import io.cleave.query.KeyedRows;
import io.cleave.txn.PastGoneException;
import io.cleave.txn.Transaction;
import io.cleave.value.Value;
import io.cleave.value.YsonNode;
import io.cleave.yt.command.Command;
import io.cleave.yt.command.CommandCall;
import io.cleave.yt.command.CommandDescriptor;
import io.cleave.yt.command.CommandParameters;
import io.cleave.yt.command.DataType;
import io.cleave.yt.command.NeedsThreadException;
import io.cleave.yt.command.YtTimestamps;
import io.cleave.yt.error.YtCodes;
import io.cleave.yt.error.YtException;
import io.cleave.yt.format.RowOutput;
import io.cleave.yt.tree.RichPath;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Consumer;

/// The command `lookup_rows`: rows by their keys, in the order of the keys.
///
/// All keys are read before the first row is answered, because many clients send their whole
/// request before they begin to read.
final class LookupRows implements Command {
    private final OpenTables tables;
    private final RowTransactions transactions;

    LookupRows(OpenTables tables, RowTransactions transactions) {
        this.tables = tables;
        this.transactions = transactions;
    }

    @Override
    public CommandDescriptor descriptor() {
        return new CommandDescriptor(
                "lookup_rows", DataType.TABULAR, DataType.TABULAR, false, true);
    }

    @Override
    public boolean isPrompt() {
        return true;
    }

    /// Throws if the call needs a thread of its own. A lookup of the newest version of one row is
    /// as fast as passing the call to another thread.
    private static void requireShort(CommandParameters parameters) {
        if (parameters.find("transaction_id").isPresent()
                || parameters.find("timestamp").isPresent()
                || parameters.find("versioned").isPresent()) {
            throw new NeedsThreadException();
        }
    }

    @Override
    public void run(CommandCall call) {
        if (!call.mayWait()) {
            requireShort(call.parameters());
        }
        refuse(call.parameters());
        refuseColumnsOfPath(call.parameters());
        NamedTable table = tables.open(call);
        try (RowMemory memory = tables.memory("The lookup")) {
            if (call.parameters().flag("versioned", false)) {
                answerVersions(call, table, memory);
            } else {
                answer(call, table, memory);
            }
        } catch (StatusException e) {
            throw RowAnswers.of(e);
        } catch (PastGoneException e) {
            throw RowAnswers.past(e);
        }
    }

    private static void refuse(CommandParameters parameters) {
        for (String name : List.of("retention_timestamp", "versioned_read_options")) {
            if (parameters.find(name).isPresent()) {
                throw new YtException(
                        YtCodes.GENERIC, "Parameter \"%s\" is not supported".formatted(name));
            }
        }
    }

    private static void refuseColumnsOfPath(CommandParameters parameters) {
        YsonNode path = parameters.require("path");
        boolean isPlain =
                path.attributes().members().isEmpty()
                        && parameters.requireText("path").indexOf('{') < 0;
        if (!isPlain && RichPath.of(path).attributes().member("columns").isPresent()) {
            throw new YtException(
                    YtCodes.GENERIC,
                    "Columns cannot be specified with table path, use \"column_names\" instead");
        }
    }

    private static List<Bytes> keys(CommandCall call, NamedTable table, RowMemory memory) {
        List<Bytes> keys = new InputRows(table.wire(), call.inputRows(), false, memory).keys();
        if (!call.mayWait() && keys.size() > 1) {
            throw new NeedsThreadException();
        }
        table.checkRead(keys);
        return keys;
    }

    private void answer(CommandCall call, NamedTable table, RowMemory memory) {
        RowLookup lookup = table.wire().lookup(columns(call.parameters()));
        List<Bytes> keys = keys(call, table, memory);
        boolean keepsMissing = call.parameters().flag("keep_missing_rows", false);
        if (keys.size() == 1 && readsNewest(call)) {
            Value[] row =
                    tables.database(call).keyedRows().lookup(keys.getFirst(), lookup.columns());
            RowOutput out = call.outputRows();
            out.columns(lookup.names());
            if (row != null) {
                lookup.write(out, row);
            } else if (keepsMissing) {
                out.missingRow();
            }
            return;
        }
        reading(
                call,
                transaction ->
                        new RowReading(tables.results(), call, lookup, keepsMissing)
                                .run(transaction, keys));
    }

    private void answerVersions(CommandCall call, NamedTable table, RowMemory memory) {
        VersionLookup lookup = table.wire().versions(columns(call.parameters()));
        List<Bytes> keys = keys(call, table, memory);
        boolean keepsMissing = call.parameters().flag("keep_missing_rows", false);
        reading(
                call,
                transaction ->
                        new VersionReading(tables.results(), call, lookup, keepsMissing)
                                .run(transaction, keys));
    }

    private boolean readsNewest(CommandCall call) {
        return YtTimestamps.readAt(call.parameters(), "timestamp").isEmpty()
                && transactions.of(call).isEmpty();
    }

    /// Runs `work` with a transaction to read with. It reads at the parameter `timestamp`, or in
    /// the tablet transaction of the call, or it reads the newest rows.
    private void reading(CommandCall call, Consumer<Transaction> work) {
        OptionalLong past = YtTimestamps.readAt(call.parameters(), "timestamp");
        Optional<RowTransactions.Open> open = transactions.of(call);
        if (past.isEmpty() && open.isPresent()) {
            transactions.with(
                    open.get(),
                    each -> {
                        work.accept(each.transaction().reads());
                        return each;
                    });
            return;
        }
        KeyedRows rows = tables.database(call).keyedRows();
        Transaction transaction =
                past.isPresent() ? rows.beginAt(past.getAsLong()) : rows.beginNewest();
        try {
            work.accept(transaction);
        } finally {
            transaction.rollback();
        }
    }

    /// The names of the columns to answer with. Absent means all columns; an empty list means none.
    private static Optional<List<String>> columns(CommandParameters parameters) {
        return parameters.find("column_names").map(_ -> names(parameters, "column_names"));
    }

    /// The names of a parameter that is a list of strings; empty if it is absent.
    static List<String> names(CommandParameters parameters, String parameter) {
        YsonNode value = parameters.find(parameter).map(YsonNode::bare).orElse(null);
        if (value == null) {
            return List.of();
        }
        if (!(value instanceof YsonNode.Items(List<YsonNode> items))) {
            throw notNames(parameter);
        }
        List<String> names = new ArrayList<>();
        for (YsonNode item : items) {
            if (!(item.bare() instanceof YsonNode.Text(Bytes name))) {
                throw notNames(parameter);
            }
            names.add(name.utf8());
        }
        return names;
    }

    private static YtException notNames(String parameter) {
        return new YtException(
                YtCodes.GENERIC,
                "Cannot parse parameter /%s: expected a list of strings".formatted(parameter));
    }
}
