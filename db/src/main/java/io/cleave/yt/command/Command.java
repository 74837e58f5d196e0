package io.cleave.yt.command;

/// One command of the API, such as `get` or `insert_rows`.
///
/// Threads: any number of calls at once. A call may wait.
public interface Command {
    CommandDescriptor descriptor();

    /// Runs the command and answers it. Errors are a `YtException`, or a `StatusException` of the
    /// database, which the caller translates.
    void run(CommandCall call);
}
