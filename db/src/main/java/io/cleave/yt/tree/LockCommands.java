package io.cleave.yt.tree;

import io.cleave.schema.ObjectId;
import io.cleave.schema.ObjectType;
import io.cleave.tree.CypressChange;
import io.cleave.value.YsonNode;
import io.cleave.yt.command.Command;
import io.cleave.yt.command.CommandCall;
import io.cleave.yt.command.CommandParameters;
import io.cleave.yt.tree.TreeReader.Method;

import java.util.List;
import java.util.Optional;

/// The commands `lock` and `unlock`.
record LockCommands(TreeService service) {
    List<Command> all() {
        return List.of(
                TreeCommand.changing("lock", this::lock),
                TreeCommand.changing("unlock", this::unlock));
    }

    private void lock(CommandCall call) {
        CommandParameters parameters = call.parameters();
        YPath path = ReadCommands.path(call, "path");
        NodeLock.Request request = request(parameters);
        boolean waits = parameters.flag("waitable", false);
        YsonNode answer =
                service.change(
                        call,
                        editor -> {
                            MasterTransaction transaction = editor.transaction();
                            if (transaction == null) {
                                throw TreeErrors.generic(
                                        "\"%s\" lock requires a transaction"
                                                .formatted(request.mode().text()));
                            }
                            TreeNode node = editor.reader().require(path, Method.LOCK);
                            NodeLock lock = editor.locks().takeExplicitly(node, request, waits);
                            if (request.mode() == LockMode.SNAPSHOT) {
                                pin(transaction, node);
                            }
                            return YsonNode.map()
                                    .with("lock_id", lock.id().text())
                                    .with("node_id", node.id().text())
                                    .withPresent(
                                            "revision", editor.attributes().find(node, "revision"))
                                    .build();
                        });
        call.answer(answer);
    }

    /// Keeps the value and the attributes of a node as they are now.
    private static void pin(MasterTransaction transaction, TreeNode node) {
        node.row()
                .filter(row -> node.type() != ObjectType.MAP_NODE)
                .ifPresent(row -> transaction.pin(List.of(new CypressChange.PutRow(row))));
    }

    private static NodeLock.Request request(CommandParameters parameters) {
        String text = parameters.text("mode").orElse("exclusive");
        LockMode mode =
                LockMode.find(text)
                        .filter(found -> found != LockMode.NONE)
                        .orElseThrow(
                                () ->
                                        TreeErrors.generic(
                                                "Error parsing ELockMode value \"%s\""
                                                        .formatted(text)));
        Optional<String> childKey = parameters.text("child_key");
        Optional<String> attributeKey = parameters.text("attribute_key");
        if (mode != LockMode.SHARED && (childKey.isPresent() || attributeKey.isPresent())) {
            throw TreeErrors.generic(
                    "Only \"shared\" locks are allowed on %s keys, got \"%s\""
                            .formatted(childKey.isPresent() ? "child" : "attribute", mode.text()));
        }
        if (childKey.isPresent() && attributeKey.isPresent()) {
            throw TreeErrors.generic(
                    "Cannot specify both child key and attribute key in a single lock request");
        }
        return new NodeLock.Request(mode, childKey, attributeKey);
    }

    private void unlock(CommandCall call) {
        YPath path = ReadCommands.path(call, "path");
        service.change(
                call,
                editor -> {
                    MasterTransaction transaction = editor.transaction();
                    if (transaction == null) {
                        throw TreeErrors.generic("Unlock requires a transaction");
                    }
                    TreeNode node = editor.reader().require(path, Method.LOCK);
                    ObjectId id = node.id();
                    boolean isModified =
                            service.locks().of(id).stream()
                                    .anyMatch(
                                            lock ->
                                                    lock.transaction() == transaction
                                                            && !lock.isExplicit());
                    if (isModified) {
                        throw TreeErrors.generic(
                                "Node #%s is modified by transaction \"%s\" and cannot be unlocked"
                                        .formatted(id, transaction.id()));
                    }
                    service.unlock(id, transaction);
                    return true;
                });
        call.answer(YsonNode.Members.EMPTY);
    }
}
