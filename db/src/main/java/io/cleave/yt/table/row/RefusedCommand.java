package io.cleave.yt.table.row;

import io.cleave.yt.command.Command;
import io.cleave.yt.command.CommandCall;
import io.cleave.yt.command.CommandDescriptor;
import io.cleave.yt.error.YtCodes;
import io.cleave.yt.error.YtException;

/// A command that clients know and this server refuses by name.
record RefusedCommand(CommandDescriptor descriptor, String reason) implements Command {
    @Override
    public void run(CommandCall call) {
        throw new YtException(
                YtCodes.GENERIC,
                "Command \"%s\" is not supported: %s".formatted(descriptor.name(), reason));
    }
}
