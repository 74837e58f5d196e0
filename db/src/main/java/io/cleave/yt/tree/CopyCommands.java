package io.cleave.yt.tree;

import io.cleave.schema.ObjectId;
import io.cleave.value.YsonNode;
import io.cleave.yt.command.Command;
import io.cleave.yt.command.CommandCall;
import io.cleave.yt.command.CommandParameters;
import io.cleave.yt.tree.TreeReader.Method;
import io.cleave.yt.tree.TreeReader.Resolved;

import java.util.List;

/// The commands that copy and move nodes.
record CopyCommands(TreeService service) {
    List<Command> all() {
        return List.of(
                TreeCommand.changing("copy", call -> run(call, false)),
                TreeCommand.changing("move", call -> run(call, true)));
    }

    private void run(CommandCall call, boolean isMove) {
        YPath source = ReadCommands.path(call, "source_path");
        YPath destination = ReadCommands.path(call, "destination_path");
        ObjectId id =
                service.change(
                        call,
                        editor -> run(editor, source, destination, call.parameters(), isMove));
        call.answer("node_id", YsonNode.text(id.text()));
    }

    private static ObjectId run(
            TreeEditor editor,
            YPath sourcePath,
            YPath path,
            CommandParameters parameters,
            boolean isMove) {
        boolean force = parameters.flag("force", false);
        boolean ignoreExisting = parameters.flag("ignore_existing", false);
        if (ignoreExisting && isMove) {
            throw TreeErrors.generic("Cannot specify \"ignore_existing\" for move operation");
        }
        if (ignoreExisting && force) {
            throw TreeErrors.generic(
                    "Cannot specify both \"ignore_existing\" and \"force\" options simultaneously");
        }
        if (sourcePath.attribute().isPresent()) {
            throw TreeErrors.unsupported("Copy", "attribute");
        }
        ChangeCommands.refusePlace(path);
        TreeNode source = editor.reader().require(sourcePath, Method.COPY);
        Resolved target = editor.reader().resolve(path, Method.COPY);
        TreeNode node = target.node();
        if (source.path().equals(node.path())) {
            throw TreeErrors.generic(
                    target.rest().isEmpty()
                            ? "Cannot copy or move a node to itself"
                            : "Cannot copy or move a node to its descendant");
        }
        if (node.path().startsWith(source.path() + "/")) {
            throw TreeErrors.generic("Cannot copy or move a node to its descendant");
        }
        TreeNode parent;
        String name;
        if (target.rest().isEmpty()) {
            if (!force) {
                if (ignoreExisting) {
                    return node.id();
                }
                throw TreeErrors.alreadyExists(editor.reader().show(node.path()));
            }
            if (source.path().startsWith(node.path() + "/")) {
                throw TreeErrors.generic("Cannot replace a node by its descendant");
            }
            parent = editor.reader().parent(node).orElseThrow();
            name = node.name();
            editor.remove(node);
            parent = editor.again(parent);
        } else {
            parent = editor.deepest(node, target.rest(), parameters.flag("recursive", false));
            name = target.rest().getLast().utf8();
        }
        source = editor.again(source);
        var copies = new TreeCopies(editor);
        return (isMove
                        ? copies.move(source, parent, name)
                        : copies.copy(source, parent, name, keeping(parameters)))
                .id();
    }

    private static TreeCopies.Keeping keeping(CommandParameters parameters) {
        return new TreeCopies.Keeping(
                parameters.flag("preserve_creation_time", false),
                parameters.flag("preserve_modification_time", false),
                parameters.flag("preserve_owner", false),
                parameters.flag("preserve_acl", false));
    }
}
