package io.cleave.yt.table;

import io.cleave.access.Caller;
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

/// The commands that change or describe tables and their tablets. Tables are created and removed by
/// the commands of the tree.
public final class TableCommands {
    private final YtTables tables;
    private final TablePaths paths;
    private final BundleUse use;

    private TableCommands(YtTables tables, TablePaths paths, BundleUse use) {
        this.tables = tables;
        this.paths = paths;
        this.use = use;
    }

    public static List<Command> all(YtTables tables, TablePaths paths, BundleUse use) {
        return new TableCommands(tables, paths, use).all();
    }

    private List<Command> all() {
        var mounting = new TabletMounting(tables);
        var reports = new TabletReports(tables);
        return List.of(
                change("mount_table", mounting::mount),
                change("unmount_table", mounting::unmount),
                change("remount_table", mounting::remount),
                change(
                        "freeze_table",
                        (caller, path, given) ->
                                mounting.change(caller, path, given, MountCommand.FREEZE)),
                change(
                        "unfreeze_table",
                        (caller, path, given) ->
                                mounting.change(caller, path, given, MountCommand.UNFREEZE)),
                change(
                        "cancel_tablet_transition",
                        (caller, path, given) ->
                                mounting.change(caller, path, given, MountCommand.CANCEL)),
                change(
                        "reshard_table",
                        (caller, path, given) ->
                                new TableResharding(tables, caller).run(path, given)),
                change("alter_table", this::alter),
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
                new TableCommand(
                        CommandDescriptor.change("reshard_table_automatic"),
                        paths,
                        new BalancingCommands(tables, paths, use)::reshard),
                new BalanceCellsCommand(new BalancingCommands(tables, paths, use)),
                new RefusedCommand(
                        new CommandDescriptor(
                                "trim_rows", DataType.NULL, DataType.STRUCTURED, true, true),
                        "there are no ordered tables"));
    }

    private interface Change {
        /// @param path of the table, in the catalog
        void run(Caller caller, String path, CommandParameters parameters);
    }

    private Command change(String name, Change change) {
        return new TableCommand(
                CommandDescriptor.change(name),
                paths,
                (CommandCall call, String path) -> {
                    change.run(call.caller(), path, call.parameters());
                    return YsonNode.Members.EMPTY;
                });
    }

    private void alter(Caller caller, String path, CommandParameters parameters) {
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
                .ifPresent(schema -> new SchemaChange(tables, caller).run(path, schema));
    }
}
