package io.cleave.yt.command;

/// What clients learn of a command from the list of commands.
///
/// @param isVolatile whether it changes anything
/// @param isHeavy whether it carries rows
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
