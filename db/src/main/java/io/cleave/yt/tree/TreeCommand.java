package io.cleave.yt.tree;

import io.cleave.yt.command.Command;
import io.cleave.yt.command.CommandCall;
import io.cleave.yt.command.CommandDescriptor;
import io.cleave.yt.command.DataType;

import java.util.function.Consumer;

/// A command whose body is a method of another class.
record TreeCommand(CommandDescriptor descriptor, Consumer<CommandCall> body) implements Command {
    static TreeCommand reading(String name, Consumer<CommandCall> body) {
        return new TreeCommand(CommandDescriptor.read(name), body);
    }

    static TreeCommand changing(String name, Consumer<CommandCall> body) {
        return new TreeCommand(CommandDescriptor.change(name), body);
    }

    /// A command that changes something and takes a value as its input.
    static TreeCommand taking(String name, Consumer<CommandCall> body) {
        return new TreeCommand(
                new CommandDescriptor(name, DataType.STRUCTURED, DataType.STRUCTURED, true, false),
                body);
    }

    @Override
    public void run(CommandCall call) {
        body.accept(call);
    }
}
