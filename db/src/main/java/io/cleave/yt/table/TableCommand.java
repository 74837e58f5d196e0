package io.cleave.yt.table;

import io.cleave.value.YsonNode;
import io.cleave.yt.command.Command;
import io.cleave.yt.command.CommandCall;
import io.cleave.yt.command.CommandDescriptor;

import java.util.function.BiFunction;

/// A command on one table, which the parameter `path` names.
///
/// @param work takes the call and the path of the table in the catalog, and returns the answer
record TableCommand(
        CommandDescriptor descriptor,
        TablePaths paths,
        BiFunction<CommandCall, String, YsonNode> work)
        implements Command {
    @Override
    public void run(CommandCall call) {
        String path = paths.resolve(call, call.parameters().requireText("path"));
        call.answer(work.apply(call, path));
    }
}
