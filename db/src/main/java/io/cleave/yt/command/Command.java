package io.cleave.yt.command;

/// One command of the API, such as `get` or `insert_rows`.
///
/// Threads: any number of calls at once. A call may wait.
public interface Command {
    CommandDescriptor descriptor();

    /// Whether the command may be tried on a network thread. It only reads, and its work is mostly
    /// short. If a call turns out to wait or to take longer, it throws [NeedsThreadException]
    /// before it does ([CommandCall#mayWait]), and is run again elsewhere.
    default boolean isPrompt() {
        return false;
    }

    /// Runs the command and answers it. Errors are a `YtException`, or a `StatusException` of the
    /// database, which the caller translates.
    void run(CommandCall call);
}
