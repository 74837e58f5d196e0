package io.cleave.yt.table;

import io.cleave.yt.command.CommandCall;

/// Finds the tables that commands name.
///
/// Threads: any.
public interface TablePaths {
    /// The path of the table in the database, such as `/local/a/t`. Links are followed, and changes
    /// of a master transaction that the call names are seen. Throws a `YtException` if the path
    /// leads nowhere or not to a table.
    String resolve(CommandCall call, String ypath);
}
