package io.cleave.yt.table.query;

import io.cleave.yt.command.CommandCall;

/// Finds the tables that queries name by links or ids.
///
/// Threads: any.
@FunctionalInterface
public interface QueryPaths {
    /// The absolute path of the table in the database, such as `/local/a/t`. Throws a `YtException`
    /// if the path does not lead to a table.
    String resolve(CommandCall call, String ypath);
}
