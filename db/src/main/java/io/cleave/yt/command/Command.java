package io.cleave.yt.command;

/// One command of the API, such as `get` or `insert_rows`.
///
/// Threads: any number of calls at once. A call may wait.
public interface Command {
    CommandDescriptor descriptor();

    /// Whether the command may be tried on a network thread. Such a command only reads, and is
    /// usually short. If a call would wait or take longer, it throws [NeedsThreadException] before
    /// that ([CommandCall#mayWait]). The call is then run again on another thread.
    default boolean isPrompt() {
        return false;
    }

    /// Runs the command and answers it. Errors are a `YtException`, or a `StatusException` of the
    /// database, which the caller translates.
    void run(CommandCall call);
}
