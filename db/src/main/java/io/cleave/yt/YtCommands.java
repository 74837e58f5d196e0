package io.cleave.yt;

import io.cleave.base.Env;
import io.cleave.yt.command.Command;

import java.util.ArrayList;
import java.util.List;

/// Collects the commands of all packages.
public final class YtCommands {
    private YtCommands() {}

    /// All commands but `execute_batch`, which needs the others.
    public static List<Command> all(Env env) {
        List<Command> all = new ArrayList<>();
        all.addAll(SystemCommands.all(env));
        return all;
    }
}
