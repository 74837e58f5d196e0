package io.cleave.yt.table;

import io.cleave.value.YsonNode;
import io.cleave.yt.command.Command;
import io.cleave.yt.command.CommandCall;
import io.cleave.yt.command.CommandDescriptor;
import io.cleave.yt.command.CommandParameters;
import io.cleave.yt.command.DataType;
import io.cleave.yt.command.RefusedCommand;
import io.cleave.yt.error.YtCodes;
import io.cleave.yt.error.YtException;

import java.util.List;
import java.util.function.BiConsumer;

/// The commands that change or describe tables and their tablets. Tables are created and removed by
/// the commands of the tree.
public final class TableCommands {
    private final YtTables tables;
    private final TablePaths paths;

    private TableCommands(YtTables tables, TablePaths paths) {
        this.tables = tables;
        this.paths = paths;
    }

    public static List<Command> all(YtTables tables, TablePaths paths) {
        return new TableCommands(tables, paths).all();
    }

    private List<Command> all() {
        var mounting = new TabletMounting(tables);
        var reports = new TabletReports(tables);
        return List.of(
                changeAs(
                        "mount_table",
                        (call, path) -> mounting.mount(call.caller(), path, call.parameters())),
                changeAs(
                        "unmount_table",
                        (call, path) -> mounting.unmount(call.caller(), path, call.parameters())),
                changeAs(
                        "remount_table",
                        (call, path) -> mounting.remount(call.caller(), path, call.parameters())),
                change(
                        "freeze_table",
                        (path, given) -> mounting.change(path, given, TabletAction.FREEZE)),
                change(
                        "unfreeze_table",
                        (path, given) -> mounting.change(path, given, TabletAction.UNFREEZE)),
                change(
                        "cancel_tablet_transition",
                        (path, given) -> mounting.change(path, given, TabletAction.CANCEL)),
                change("reshard_table", new TableResharding(tables)::run),
                changeAs("alter_table", this::alter),
                new TableCommand(
                        CommandDescriptor.change("get_tablet_infos"),
                        paths,
                        (call, path) -> reports.infos(path, call.parameters())),
                new TableCommand(
                        CommandDescriptor.read("get_tablet_errors"),
                        paths,
                        (_, path) -> reports.errors(path)),
                new TableCommand(
                        CommandDescriptor.read("get_table_pivot_keys"),
                        paths,
                        (_, path) -> reports.pivotKeys(path)),
                new RefusedCommand(
                        CommandDescriptor.change("reshard_table_automatic"),
                        "tablets are balanced by this server's own rules"),
                new RefusedCommand(
                        CommandDescriptor.change("balance_tablet_cells"),
                        "tablets are balanced by this server's own rules"),
                new RefusedCommand(
                        new CommandDescriptor(
                                "trim_rows", DataType.NULL, DataType.STRUCTURED, true, true),
                        "there are no ordered tables"));
    }

    private Command change(String name, BiConsumer<String, CommandParameters> work) {
        return changeAs(name, (call, path) -> work.accept(path, call.parameters()));
    }

    /// A change that is made as its caller.
    private Command changeAs(String name, BiConsumer<CommandCall, String> work) {
        return new TableCommand(
                CommandDescriptor.change(name),
                paths,
                (CommandCall call, String path) -> {
                    work.accept(call, path);
                    return YsonNode.Members.EMPTY;
                });
    }

    private void alter(CommandCall call, String path) {
        CommandParameters parameters = call.parameters();
        if (parameters.find("dynamic").isPresent() && !parameters.flag("dynamic", true)) {
            throw new YtException(
                    YtCodes.GENERIC, "Cannot switch mode from dynamic to static: table is sorted");
        }
        if (parameters
                .text("upstream_replica_id")
                .filter(id -> !id.equals("0-0-0-0"))
                .isPresent()) {
            throw new YtException(YtCodes.GENERIC, "Replicated tables are not supported");
        }
        if (parameters
                .text("schema_modification")
                .filter(modification -> !modification.equals("none"))
                .isPresent()) {
            throw new YtException(YtCodes.GENERIC, "Schema modifications are not supported");
        }
        // The parameter still has its attributes, which belong to the schema.
        parameters
                .find("schema")
                .ifPresent(schema -> new SchemaChange(tables, call.caller()).run(path, schema));
    }
}
