package io.cleave.yt;

import io.cleave.value.YsonNode;
import io.cleave.yt.command.Command;
import io.cleave.yt.command.CommandCall;
import io.cleave.yt.command.CommandDescriptor;
import io.cleave.yt.command.YtTimestamps;

import java.util.List;
import java.util.function.Consumer;
import java.util.function.LongSupplier;

/// Commands about the server itself.
final class SystemCommands {
    private static final List<String> PRIMITIVE_TYPES =
            List.of(
                    "int8",
                    "int16",
                    "int32",
                    "int64",
                    "uint8",
                    "uint16",
                    "uint32",
                    "uint64",
                    "float",
                    "double",
                    "boolean",
                    "string",
                    "utf8",
                    "date",
                    "datetime",
                    "timestamp",
                    "interval",
                    "any",
                    "json",
                    "uuid");

    private SystemCommands() {}

    /// `now` returns timestamps of the store.
    static List<Command> all(LongSupplier now) {
        return List.of(
                read("get_current_user", SystemCommands::currentUser),
                read("get_supported_features", SystemCommands::features),
                read(
                        "generate_timestamp",
                        call -> call.answer("timestamp", YtTimestamps.node(now.getAsLong()))));
    }

    private static Command read(String name, Consumer<CommandCall> work) {
        CommandDescriptor descriptor = CommandDescriptor.read(name);
        return new Command() {
            @Override
            public CommandDescriptor descriptor() {
                return descriptor;
            }

            @Override
            public void run(CommandCall call) {
                work.accept(call);
            }
        };
    }

    private static void currentUser(CommandCall call) {
        call.answer(YsonNode.map().with("user", call.caller().user()).build());
    }

    private static void features(CommandCall call) {
        call.answer(
                "features",
                YsonNode.map()
                        .with("primitive_types", YsonNode.texts(PRIMITIVE_TYPES))
                        .with("compression_codecs", YsonNode.texts(List.of("none", "lz4")))
                        .with("erasure_codecs", YsonNode.texts(List.of("none")))
                        .with("query_memory_limit_in_bytes", true)
                        .build());
    }
}
