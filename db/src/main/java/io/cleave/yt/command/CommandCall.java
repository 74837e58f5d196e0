package io.cleave.yt.command;

import io.cleave.access.Caller;
import io.cleave.query.Cancellation;
import io.cleave.value.YsonNode;
import io.cleave.yt.format.RowInput;
import io.cleave.yt.format.RowOutput;

/// One call of a command: what the client sent, and where the answer goes.
///
/// Threads: one at a time.
public interface CommandCall {
    CommandParameters parameters();

    Caller caller();

    Cancellation cancellation();

    /// Whether the call runs on a thread of its own, and not on a network thread.
    default boolean mayWait() {
        return true;
    }

    /// 3 or 4: the version of the API that was called. Version 4 wraps most answers in a map.
    int apiVersion();

    /// The input of a command that takes a structured value.
    YsonNode input();

    /// The input of a command that takes rows.
    RowInput inputRows();

    /// Answers with the value as it is. A command without a result answers with an empty map.
    void answer(YsonNode value);

    /// Answers with `{name=value}` in version 4, and with the bare value in version 3 or if the
    /// parameter `return_only_value` is set.
    void answer(String name, YsonNode value);

    /// Answers with rows. They are sent while the command runs.
    RowOutput outputRows();

    /// Takes memory for rows of the answer that the command keeps before it writes them. The memory
    /// is given back when the call ends. Returns false if there is none; the command must then
    /// write the rows at once.
    boolean tryHold(long bytes);

    /// Adds a value that is sent beside the rows of an answer, such as the statistics of a query.
    /// Clients get it in a header, so it is left out if the first row was already written.
    void responseParameter(String name, YsonNode value);
}
