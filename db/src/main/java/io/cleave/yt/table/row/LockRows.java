package io.cleave.yt.table.row;

import io.cleave.base.Bytes;
import io.cleave.schema.LockGroups;
import io.cleave.schema.RowLock;
import io.cleave.value.YsonNode;
import io.cleave.yt.command.Command;
import io.cleave.yt.command.CommandCall;
import io.cleave.yt.command.CommandDescriptor;
import io.cleave.yt.command.CommandParameters;
import io.cleave.yt.command.DataType;
import io.cleave.yt.error.YtCodes;
import io.cleave.yt.error.YtException;

import java.util.List;

/// The command `lock_rows`: locks rows in a tablet transaction without writing them. The locks are
/// checked when the transaction commits.
final class LockRows implements Command {
    private final OpenTables tables;
    private final RowTransactions transactions;

    LockRows(OpenTables tables, RowTransactions transactions) {
        this.tables = tables;
        this.transactions = transactions;
    }

    @Override
    public CommandDescriptor descriptor() {
        return new CommandDescriptor(
                "lock_rows", DataType.TABULAR, DataType.STRUCTURED, true, true);
    }

    @Override
    public void run(CommandCall call) {
        CommandParameters parameters = call.parameters();
        RowLock.Kind kind = kind(parameters);
        NamedTable table = tables.open(call);
        long groups = groups(table, LookupRows.names(parameters, "locks"));
        RowTransactions.Open open =
                transactions
                        .of(call)
                        .orElseThrow(
                                () ->
                                        new YtException(
                                                YtCodes.GENERIC,
                                                "Rows can be locked only in a tablet transaction"));
        try (RowMemory memory = tables.memory("The lock")) {
            List<Bytes> keys = new InputRows(table.wire(), call.inputRows(), false, memory).keys();
            transactions.with(open, each -> lock(each, table, keys, groups, kind));
        }
        call.answer(YsonNode.Members.EMPTY);
    }

    private static RowTransactions.Open lock(
            RowTransactions.Open open,
            NamedTable table,
            List<Bytes> keys,
            long groups,
            RowLock.Kind kind) {
        open.modify(
                table,
                keys.size(),
                () -> {
                    table.checkWrite(keys);
                    for (Bytes key : keys) {
                        open.transaction().lock(table.wire().keyed(), key, groups, kind);
                    }
                });
        return open;
    }

    private static RowLock.Kind kind(CommandParameters parameters) {
        String type = parameters.text("lock_type").orElse("shared_strong");
        return switch (type) {
            case "shared_weak" -> RowLock.Kind.SHARED_WEAK;
            case "shared_strong" -> RowLock.Kind.SHARED_STRONG;
            case "exclusive" -> RowLock.Kind.EXCLUSIVE;
            case "shared_write" ->
                    throw new YtException(
                            YtCodes.GENERIC, "Shared write locks are not allowed for the table");
            default ->
                    throw new YtException(
                            YtCodes.GENERIC,
                            "Error parsing ELockType value \"%s\"".formatted(type));
        };
    }

    private static long groups(NamedTable table, List<String> names) {
        LockGroups known = LockGroups.of(table.wire().table());
        long groups = names.isEmpty() ? LockGroups.PRIMARY : 0;
        for (String name : names) {
            long group = known.named(name);
            if (group == 0) {
                throw new YtException(
                        YtCodes.GENERIC, "Lock group \"%s\" is not found".formatted(name));
            }
            groups |= group;
        }
        return groups;
    }
}
