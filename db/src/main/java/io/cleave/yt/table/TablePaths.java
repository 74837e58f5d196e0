package io.cleave.yt.table;

import io.cleave.yt.command.CommandCall;

/// Finds the tables that commands name.
///
/// Threads: any.
public interface TablePaths {
    /// The path of the table in the database, such as `/local/a/t`. Links are followed. If the call
    /// names a master transaction, its changes are visible. Throws a `YtException` if the path does
    /// not lead to a table.
    String resolve(CommandCall call, String ypath);
}
