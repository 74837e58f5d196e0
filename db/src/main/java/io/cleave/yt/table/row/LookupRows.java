package io.cleave.yt.table.row;

import io.cleave.base.Bytes;
import io.cleave.base.StatusException;
import io.cleave.codec.RowVersion;
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

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/// The command `lookup_rows`: rows by their keys, in the order of the keys.
final class LookupRows implements Command {
    /// The number of versions of a row that are answered.
    private static final int MOST_VERSIONS = 65_535;

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

    /// The newest version of one row is read as fast as the call could be handed to a thread.
    private static void requireShort(CommandParameters parameters) {
        if (parameters.find("transaction_id").isPresent()
                || parameters.find("timestamp").isPresent()
                || parameters.find("versioned").isPresent()) {
            throw new NeedsThreadException();
        }
    }

    @Override
    public void run(CommandCall call) {
        CommandParameters parameters = call.parameters();
        if (!call.mayWait()) {
            requireShort(parameters);
        }
        NamedTable table = tables.open(call);
        WireTable.Lookup columns = table.wire().lookup(names(parameters, "column_names"));
        boolean keepsMissing = parameters.flag("keep_missing_rows", false);
        List<Bytes> keys = new InputRows(table.wire(), call.inputRows(), false).keys();
        if (!call.mayWait() && keys.size() > 1) {
            throw new NeedsThreadException();
        }
        table.checkRead(keys);
        refuse(parameters);
        if (parameters.flag("versioned", false)) {
            answerVersions(call, table.wire(), columns, keys, keepsMissing);
            return;
        }
        Value[] @Nullable [] rows;
        try {
            rows = read(call, keys, columns);
        } catch (StatusException e) {
            throw RowAnswers.of(e);
        } catch (PastGoneException e) {
            throw RowAnswers.past(e);
        }
        RowOutput out = call.outputRows();
        out.columns(columns.names());
        for (Value[] row : rows) {
            if (row != null) {
                columns.write(out, row);
            } else if (keepsMissing) {
                out.missingRow();
            }
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

    private void answerVersions(
            CommandCall call,
            WireTable table,
            WireTable.Lookup columns,
            List<Bytes> keys,
            boolean keepsMissing) {
        OptionalLong past = YtTimestamps.readAt(call.parameters(), "timestamp");
        Transaction transaction =
                tables.database(call).keyedRows().beginAt(past.orElse(Long.MAX_VALUE));
        try {
            RowOutput out = call.outputRows();
            out.columns(columns.names());
            for (Bytes key : keys) {
                call.cancellation().check();
                List<RowVersion> versions =
                        transaction.versions(key, columns.columns(), MOST_VERSIONS);
                if (!versions.isEmpty()) {
                    columns.write(out, table.keyed().decodeKey(key), versions);
                } else if (keepsMissing) {
                    out.missingRow();
                }
            }
        } catch (StatusException e) {
            throw RowAnswers.of(e);
        } catch (PastGoneException e) {
            throw RowAnswers.past(e);
        } finally {
            transaction.rollback();
        }
    }

    private Value[] @Nullable [] read(
            CommandCall call, List<Bytes> keys, WireTable.Lookup columns) {
        KeyedRows rows = tables.database(call).keyedRows();
        OptionalLong past = YtTimestamps.readAt(call.parameters(), "timestamp");
        if (past.isPresent()) {
            KeyOrder order = KeyOrder.of(keys);
            return order.asAsked(
                    rows.lookupAt(
                            past.getAsLong(),
                            order.keys(),
                            columns.columns(),
                            call.cancellation()));
        }
        Optional<RowTransactions.Open> open = transactions.of(call);
        if (keys.size() == 1 && open.isEmpty()) {
            Value[] @Nullable [] only = new Value[1] @Nullable [];
            only[0] = rows.lookup(keys.getFirst(), columns.columns());
            return only;
        }
        KeyOrder order = KeyOrder.of(keys);
        Value[] @Nullable [] found =
                open.isPresent()
                        ? transactions.with(
                                open.get(),
                                each ->
                                        each.transaction()
                                                .lookup(
                                                        order.keys(),
                                                        columns.columns(),
                                                        call.cancellation()))
                        : rows.lookup(order.keys(), columns.columns(), call.cancellation());
        return order.asAsked(found);
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

    /// Keys in their order, for cheaper reads, and the way back to the order of the client.
    private static final class KeyOrder {
        private final List<Bytes> keys;

        /// The place of each key in the client's order; null if both orders are the same.
        private final int @Nullable [] asked;

        private KeyOrder(List<Bytes> keys, int @Nullable [] asked) {
            this.keys = keys;
            this.asked = asked;
        }

        static KeyOrder of(List<Bytes> keys) {
            boolean sorted = true;
            for (int index = 1; index < keys.size() && sorted; index++) {
                sorted = keys.get(index - 1).compareTo(keys.get(index)) <= 0;
            }
            if (sorted) {
                return new KeyOrder(keys, null);
            }
            Integer[] order = new Integer[keys.size()];
            Arrays.setAll(order, index -> index);
            Arrays.sort(order, Comparator.comparing(keys::get));
            List<Bytes> inOrder = new ArrayList<>(order.length);
            int[] asked = new int[order.length];
            for (int place = 0; place < order.length; place++) {
                inOrder.add(keys.get(order[place]));
                asked[place] = order[place];
            }
            return new KeyOrder(inOrder, asked);
        }

        List<Bytes> keys() {
            return keys;
        }

        Value[] @Nullable [] asAsked(Value[] @Nullable [] found) {
            if (asked == null) {
                return found;
            }
            Value[] @Nullable [] rows = new Value[found.length] @Nullable [];
            for (int place = 0; place < found.length; place++) {
                rows[asked[place]] = found[place];
            }
            return rows;
        }
    }
}
