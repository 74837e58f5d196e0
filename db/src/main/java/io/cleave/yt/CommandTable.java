package io.cleave.yt;

import io.cleave.base.Bytes;
import io.cleave.value.YsonNode;
import io.cleave.yt.command.Command;
import io.cleave.yt.command.CommandDescriptor;
import io.cleave.yt.command.DataType;
import io.cleave.yt.format.DataFormat;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/// The commands of both versions of the API, by name.
final class CommandTable {
    /// The names that only version 3 has, mapped to the names of version 4.
    private static final Map<String, String> VERSION_3_NAMES =
            Map.of(
                    "start_tx", "start_transaction",
                    "ping_tx", "ping_transaction",
                    "commit_tx", "commit_transaction",
                    "abort_tx", "abort_transaction");

    private final Map<String, Command> commands = new TreeMap<>();

    /// The commands that may be tried on a network thread, by the path of a request.
    private final Map<String, Entry> prompt = new HashMap<>();

    /// The paths of requests for commands that read rows.
    private final Set<String> rowPaths = new HashSet<>();

    record Entry(int version, Command command) {}

    CommandTable(List<Command> all) {
        for (Command command : all) {
            add(command);
        }
    }

    /// Adds a command. A command that runs other commands is added after them.
    void add(Command command) {
        if (VERSION_3_NAMES.containsKey(command.descriptor().name())) {
            // This is a name of version 3. The command is also added with its name of version 4.
            return;
        }
        if (commands.put(command.descriptor().name(), command) != null) {
            throw new IllegalArgumentException(
                    "two commands have the name " + command.descriptor().name());
        }
        for (int version : List.of(3, 4)) {
            String path = "/api/v%d/%s".formatted(version, command.descriptor().name());
            if (command.isPrompt()) {
                prompt.put(path, new Entry(version, command));
            }
            if (command.descriptor().input() == DataType.TABULAR) {
                rowPaths.add(path);
            }
        }
    }

    /// The command that a request with this path calls, if it may be tried on a network thread;
    /// otherwise null.
    @Nullable Entry prompt(String path) {
        return prompt.get(path);
    }

    /// Whether a request with this path calls a command that reads rows. It reads them while they
    /// arrive.
    boolean readsRows(String path) {
        return rowPaths.contains(path);
    }

    /// The command with this name, which is in lower case.
    Optional<Command> find(int version, String name) {
        String present = version == 3 ? VERSION_3_NAMES.getOrDefault(name, name) : name;
        return Optional.ofNullable(commands.get(present));
    }

    /// The list of commands as JSON. Clients read it when they start.
    Bytes list(int version) {
        List<YsonNode> rows = new ArrayList<>();
        for (Command command : commands.values()) {
            CommandDescriptor known = command.descriptor();
            rows.add(row(known, known.name()));
        }
        if (version == 3) {
            VERSION_3_NAMES.forEach(
                    (old, present) ->
                            find(version, old)
                                    .ifPresent(
                                            command -> rows.add(row(command.descriptor(), old))));
        }
        return DataFormat.JSON.writeValue(YsonNode.list(rows));
    }

    private static YsonNode row(CommandDescriptor known, String name) {
        return YsonNode.map()
                .with("name", name)
                .with("input_type", known.input().name().toLowerCase(Locale.ROOT))
                .with("output_type", known.output().name().toLowerCase(Locale.ROOT))
                .with("is_volatile", known.isVolatile())
                .with("is_heavy", known.isHeavy())
                .build();
    }
}
