package io.cleave.yt.table.row;

import io.cleave.query.Database;
import io.cleave.yt.command.Command;
import io.cleave.yt.command.CommandDescriptor;
import io.cleave.yt.command.DataType;
import io.cleave.yt.command.RefusedCommand;

import java.util.List;

/// The commands on rows.
public final class RowCommands {
    private static final String NO_REPLICAS = "there are no replicated tables";
    private static final String NO_QUEUES = "there are no ordered tables and queues";

    private RowCommands() {}

    /// `transactions` also serves the commands on transactions.
    public static List<Command> all(
            Database database, RowTables rowTables, RowTransactions transactions) {
        var tables = new OpenTables(database, rowTables);
        return List.of(
                ModifyRows.insert(tables, transactions),
                ModifyRows.delete(tables, transactions),
                new LookupRows(tables, transactions),
                new LockRows(tables, transactions),
                unsupported("get_in_sync_replicas", DataType.TABULAR, NO_REPLICAS),
                unsupported("alter_table_replica", DataType.NULL, NO_REPLICAS),
                unsupported("pull_rows", DataType.NULL, NO_REPLICAS),
                unsupported("pull_queue", DataType.NULL, NO_QUEUES),
                unsupported("pull_queue_consumer", DataType.NULL, NO_QUEUES),
                unsupported("push_queue_producer", DataType.TABULAR, NO_QUEUES),
                unsupported("advance_queue_consumer", DataType.NULL, NO_QUEUES));
    }

    private static Command unsupported(String name, DataType input, String reason) {
        return new RefusedCommand(
                new CommandDescriptor(name, input, DataType.STRUCTURED, true, true), reason);
    }
}
