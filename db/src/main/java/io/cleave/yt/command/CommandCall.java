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

    /// Whether the call has a thread of its own, and not one of the network's.
    default boolean mayWait() {
        return true;
    }

    /// 3 or 4: the version of the API that was called. Version 4 wraps most answers in a map.
    int apiVersion();

    /// The input of a command that takes a structured value.
    YsonNode input();

    /// The input of a command that takes rows.
    RowInput inputRows();

    /// Answers with a value as it stands. A command that answers nothing answers an empty map.
    void answer(YsonNode value);

    /// Answers with `{name=value}` in version 4, and with the bare value in version 3 or if the
    /// parameter `return_only_value` is set.
    void answer(String name, YsonNode value);

    /// Answers with rows. They are on their way to the client while the command runs.
    RowOutput outputRows();

    /// Takes memory for rows of the answer that the command keeps before it writes them. It is
    /// given back when the call ends. False if there is none; the rows are then to be written at
    /// once.
    boolean tryHold(long bytes);

    /// Values beside the rows of an answer, such as the statistics of a query. Clients get them in
    /// a header, so they must be known before the first row is written, or are left out.
    void responseParameter(String name, YsonNode value);
}
