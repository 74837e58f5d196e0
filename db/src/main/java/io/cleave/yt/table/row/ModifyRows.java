package io.cleave.yt.table.row;

import io.cleave.base.Bytes;
import io.cleave.base.Status;
import io.cleave.base.StatusException;
import io.cleave.query.KeyedRows.MissingColumnException;
import io.cleave.txn.RowWrite;
import io.cleave.txn.Transactions.KeyedWrite;
import io.cleave.value.YsonNode;
import io.cleave.yt.command.Command;
import io.cleave.yt.command.CommandCall;
import io.cleave.yt.command.CommandDescriptor;
import io.cleave.yt.command.CommandParameters;
import io.cleave.yt.command.DataType;
import io.cleave.yt.error.YtCodes;
import io.cleave.yt.error.YtError;
import io.cleave.yt.error.YtException;

import java.util.AbstractList;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// The commands `insert_rows` and `delete_rows`. If the call names no transaction, its rows are one
/// transaction. This transaction begins and commits at once, so it has no conflicts.
final class ModifyRows implements Command {
    private final OpenTables tables;
    private final RowTransactions transactions;
    private final boolean erases;

    private ModifyRows(OpenTables tables, RowTransactions transactions, boolean erases) {
        this.tables = tables;
        this.transactions = transactions;
        this.erases = erases;
    }

    static Command insert(OpenTables tables, RowTransactions transactions) {
        return new ModifyRows(tables, transactions, false);
    }

    static Command delete(OpenTables tables, RowTransactions transactions) {
        return new ModifyRows(tables, transactions, true);
    }

    @Override
    public CommandDescriptor descriptor() {
        return new CommandDescriptor(
                erases ? "delete_rows" : "insert_rows",
                DataType.TABULAR,
                DataType.STRUCTURED,
                true,
                true);
    }

    @Override
    public void run(CommandCall call) {
        RowWrite.Kind kind = kind(call.parameters());
        NamedTable table = tables.open(call);
        Optional<RowTransactions.Open> open = transactions.of(call);
        try (RowMemory memory = tables.memory("The write")) {
            InputRows rows = input(call, table, memory);
            if (open.isPresent()) {
                add(open.get(), rows, table, kind);
            } else {
                write(call, rows, table, kind);
            }
        }
        call.answer(YsonNode.Members.EMPTY);
    }

    private RowWrite.Kind kind(CommandParameters parameters) {
        String atomicity = parameters.text("atomicity").orElse("full");
        if (!atomicity.equals("full")) {
            throw refused("Atomicity \"%s\" is not supported".formatted(atomicity));
        }
        if (parameters.flag("aggregate", false)) {
            throw refused("Aggregating columns are not supported");
        }
        if (parameters.text("lock_type").filter(type -> !type.equals("exclusive")).isPresent()) {
            throw refused("Rows can be written with lock type \"exclusive\" only");
        }
        if (erases) {
            return RowWrite.Kind.ERASE;
        }
        return parameters.flag("update", false) ? RowWrite.Kind.UPSERT : RowWrite.Kind.REPLACE;
    }

    private static YtException refused(String text) {
        return new YtException(YtCodes.GENERIC, text);
    }

    private void write(CommandCall call, InputRows rows, NamedTable table, RowWrite.Kind kind) {
        var writes = new ArrayList<KeyedWrite>();
        while (rows.next()) {
            writes.add(write(rows, kind));
            if (writes.size() > InputRows.MAX_WRITTEN_ROWS) {
                throw RowTransactions.tooManyRows(writes.size()).exception();
            }
        }
        table.checkWrite(keys(writes));
        if (writes.isEmpty()) {
            return;
        }
        try {
            tables.database(call).keyedRows().write(table.wire().keyed(), writes);
        } catch (MissingColumnException e) {
            throw RowAnswers.missing(e);
        } catch (StatusException e) {
            throw closed(table, e).orElseGet(() -> RowAnswers.of(e));
        }
    }

    /// The error if the table was unmounted or frozen before its rows were written.
    private Optional<YtException> closed(NamedTable table, StatusException e) {
        return e.status() == Status.UNAVAILABLE
                ? Optional.ofNullable(transactions.closed(table, table.wire().table().path()))
                        .map(YtError::exception)
                : Optional.empty();
    }

    /// Adds the rows of a call to a transaction. A mistake in a row fails the commit. A body that
    /// cannot be read fails the call, and adds nothing. The transaction is not locked while the
    /// body arrives.
    private void add(
            RowTransactions.Open open, InputRows rows, NamedTable table, RowWrite.Kind kind) {
        var writes = new ArrayList<KeyedWrite>();
        YtError mistake = null;
        while (rows.next()) {
            try {
                writes.add(write(rows, kind));
            } catch (YtException e) {
                mistake = mistake == null ? e.error() : mistake;
            }
            if (writes.size() > InputRows.MAX_WRITTEN_ROWS) {
                throw RowTransactions.tooManyRows(writes.size()).exception();
            }
        }
        YtError first = mistake;
        transactions.with(
                open,
                each -> {
                    if (first != null) {
                        each.mistake(first);
                    }
                    modify(each, table, writes);
                    return each;
                });
    }

    private static void modify(
            RowTransactions.Open each, NamedTable table, List<KeyedWrite> writes) {
        each.modify(
                table,
                writes.size(),
                () -> {
                    table.checkWrite(keys(writes));
                    try {
                        each.transaction().write(table.wire().keyed(), writes);
                    } catch (MissingColumnException e) {
                        throw RowAnswers.missing(e);
                    } catch (StatusException e) {
                        throw RowAnswers.of(e);
                    }
                });
    }

    private static InputRows input(CommandCall call, NamedTable table, RowMemory memory) {
        return new InputRows(
                table.wire(),
                call.inputRows(),
                call.parameters().flag("allow_missing_key_columns", false),
                memory);
    }

    private static KeyedWrite write(InputRows rows, RowWrite.Kind kind) {
        return kind == RowWrite.Kind.ERASE ? rows.erase() : rows.write(kind);
    }

    private static List<Bytes> keys(List<KeyedWrite> writes) {
        return new KeysOf(writes);
    }

    /// The keys of writes, without a copy.
    private static final class KeysOf extends AbstractList<Bytes> {
        private final List<KeyedWrite> writes;

        KeysOf(List<KeyedWrite> writes) {
            this.writes = writes;
        }

        @Override
        public Bytes get(int index) {
            return writes.get(index).key();
        }

        @Override
        public int size() {
            return writes.size();
        }
    }
}
