package io.cleave.yt.command;

/// The description of a command in the list of commands.
///
/// @param isVolatile whether the command changes anything
/// @param isHeavy whether the command transfers rows
public record CommandDescriptor(
        String name, DataType input, DataType output, boolean isVolatile, boolean isHeavy) {
    /// A command that reads and answers a value.
    public static CommandDescriptor read(String name) {
        return new CommandDescriptor(name, DataType.NULL, DataType.STRUCTURED, false, false);
    }

    /// A command that changes something and answers a value.
    public static CommandDescriptor change(String name) {
        return new CommandDescriptor(name, DataType.NULL, DataType.STRUCTURED, true, false);
    }
}
