package io.cleave.yt;

import io.cleave.yt.command.Command;
import io.cleave.yt.command.CommandDescriptor;
import io.cleave.yt.command.DataType;
import io.cleave.yt.command.RefusedCommand;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/// Commands of YTsaurus that are not supported: they work on static tables, files, operations,
/// queries of the query tracker, queues and accounts. The client has most of them in its help. Each
/// is refused by name, with a message that says what to do instead.
final class RefusedCommands {
    private static final String NO_STATIC_TABLES = "there are no static tables; ";
    private static final String NO_FILES =
            "there are no files; store bytes in a column of a dynamic table";
    private static final String NO_OPERATIONS =
            "there are no operations; read with select_rows and write with insert_rows, or run YQL"
                    + " through YDB's API";
    private static final String NO_QUERY_TRACKER =
            "there is no query tracker; use select_rows, or run YQL through YDB's API";
    private static final String NO_QUEUES = "there are no ordered tables and queues";
    private static final String NO_MEMBERS =
            "change groups with YQL: ALTER GROUP name ADD USER user";
    private static final String NO_ACCOUNTS = "there are no quotas of accounts and pools";

    private RefusedCommands() {}

    static List<Command> all() {
        List<Command> all = new ArrayList<>();
        all.add(
                reading(
                        "read_table",
                        DataType.TABULAR,
                        NO_STATIC_TABLES + "read a dynamic table with select_rows or lookup_rows"));
        all.add(
                writing(
                        "write_table",
                        DataType.TABULAR,
                        NO_STATIC_TABLES + "write to a mounted dynamic table with insert_rows"));
        all.add(reading("read_blob_table", DataType.BINARY, NO_FILES));
        all.add(reading("read_file", DataType.BINARY, NO_FILES));
        all.add(writing("write_file", DataType.BINARY, NO_FILES));
        changing(
                all,
                NO_STATIC_TABLES + "copy rows with select_rows and insert_rows",
                "concatenate");
        changing(
                all,
                NO_OPERATIONS,
                "start_operation",
                "abort_operation",
                "complete_operation",
                "suspend_operation",
                "resume_operation",
                "update_operation_parameters");
        asking(all, NO_OPERATIONS, "get_operation", "list_operations", "get_job", "list_jobs");
        changing(all, NO_QUERY_TRACKER, "start_query", "abort_query", "alter_query");
        asking(all, NO_QUERY_TRACKER, "get_query", "list_queries", "get_query_result");
        changing(all, NO_QUEUES, "register_queue_consumer", "unregister_queue_consumer");
        asking(all, NO_QUEUES, "list_queue_consumer_registrations");
        changing(all, NO_MEMBERS, "add_member", "remove_member");
        changing(all, NO_ACCOUNTS, "transfer_account_resources", "transfer_pool_resources");
        return all;
    }

    private static Command reading(String name, DataType output, String why) {
        return new RefusedCommand(
                new CommandDescriptor(name, DataType.NULL, output, false, true), why);
    }

    private static Command writing(String name, DataType input, String why) {
        return new RefusedCommand(
                new CommandDescriptor(name, input, DataType.NULL, true, true), why);
    }

    private static void changing(List<Command> all, String why, String... names) {
        Stream.of(names)
                .map(name -> new RefusedCommand(CommandDescriptor.change(name), why))
                .forEach(all::add);
    }

    private static void asking(List<Command> all, String why, String... names) {
        Stream.of(names)
                .map(name -> new RefusedCommand(CommandDescriptor.read(name), why))
                .forEach(all::add);
    }
}
