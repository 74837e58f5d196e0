package io.cleave.yt.command;

import io.cleave.yt.error.YtCodes;
import io.cleave.yt.error.YtException;

/// A command that clients know and that is refused by name.
<<<<<<<< HEAD:db/src/main/java/io/cleave/yt/command/UnsupportedCommand.java
public record UnsupportedCommand(CommandDescriptor descriptor, String why) implements Command {
========
record RefusedCommand(CommandDescriptor descriptor, String why) implements Command {
>>>>>>>> 93bbbba051988dfd8a57d7497088db8e42dc9b1e:db/src/main/java/io/cleave/yt/table/RefusedCommand.java
    @Override
    public void run(CommandCall call) {
        throw new YtException(
                YtCodes.GENERIC,
                "Command \"%s\" is not supported: %s".formatted(descriptor.name(), why));
    }
}
