package io.cleave.yt.command;

import io.cleave.yt.error.YtCodes;
import io.cleave.yt.error.YtException;

/// A command that clients know but that is not supported. Each call is refused with the reason.
public record RefusedCommand(CommandDescriptor descriptor, String why) implements Command {
    @Override
    public void run(CommandCall call) {
        throw new YtException(
                YtCodes.GENERIC,
                "Command \"%s\" is not supported: %s".formatted(descriptor.name(), why));
    }
}
