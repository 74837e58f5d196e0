package io.cleave.yt.tree;

import io.cleave.schema.ObjectId;
import io.cleave.value.YsonNode;
import io.cleave.yt.command.Command;
import io.cleave.yt.command.CommandCall;
import io.cleave.yt.command.CommandParameters;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/// The commands on transactions. Tablet transactions are passed to [TabletTransactions].
record TransactionCommands(TreeService service, TabletTransactions tablets) {
    List<Command> all() {
        List<Command> all = new ArrayList<>();
        // Version 3 has short names for these commands.
        add(all, "start", this::start);
        add(all, "ping", this::ping);
        add(all, "commit", this::commit);
        add(all, "abort", this::abort);
        return all;
    }

    private static void add(List<Command> all, String verb, Consumer<CommandCall> body) {
        all.add(TreeCommand.changing(verb + "_transaction", body));
        all.add(TreeCommand.changing(verb + "_tx", body));
    }

    private void start(CommandCall call) {
        CommandParameters parameters = call.parameters();
        String type = parameters.text("type").orElse("master");
        ObjectId id =
                switch (type) {
                    case "master" -> startMaster(call);
                    case "tablet" -> tablets.start(call);
                    default ->
                            throw TreeErrors.generic(
                                    "Error parsing ETransactionType value \"%s\"".formatted(type));
                };
        call.answer("transaction_id", YsonNode.text(id.text()));
    }

    private ObjectId startMaster(CommandCall call) {
        CommandParameters parameters = call.parameters();
        Optional<ObjectId> parent = TreeService.id(parameters, "transaction_id");
        if (parent.filter(id -> !TreeService.isMaster(id)).isPresent()) {
            throw TreeErrors.generic("A tablet transaction cannot have nested transactions");
        }
        long timeout =
                parameters.number("timeout").orElse(MasterTransactions.DEFAULT_TIMEOUT_MILLIS);
        YsonNode.Members attributes = ChangeCommands.members(parameters, "attributes");
        service.requirePrerequisites(call);
        return service.transactions(
                all -> {
                    MasterTransaction outer = parent.map(all::require).orElse(null);
                    return all.start(outer, call.caller(), timeout, attributes).id();
                });
    }

    private static ObjectId id(CommandCall call) {
        return TreeService.id(call.parameters(), "transaction_id")
                .orElseThrow(
                        () -> TreeErrors.generic("Missing required parameter /transaction_id"));
    }

    private void ping(CommandCall call) {
        ObjectId id = id(call);
        if (TreeService.isMaster(id)) {
            boolean withAncestors = call.parameters().flag("ping_ancestor_transactions", true);
            service.transactions(
                    all -> {
                        all.ping(all.require(id), withAncestors);
                        return true;
                    });
        } else {
            tablets.ping(id);
        }
        call.answer(YsonNode.Members.EMPTY);
    }

    private void commit(CommandCall call) {
        ObjectId id = id(call);
        if (!TreeService.isMaster(id)) {
            tablets.commit(call, id);
            return;
        }
        service.requirePrerequisites(call);
        service.transactions(
                all -> {
                    all.commit(all.require(id));
                    return true;
                });
        // Nodes have no timestamps. The answer 0 means none.
        call.answer(
                YsonNode.map()
                        .withUint("primary_commit_timestamp", 0)
                        .with("commit_timestamps", YsonNode.Members.EMPTY)
                        .build());
    }

    /// Aborts a transaction. It is not an error if the transaction is already gone.
    private void abort(CommandCall call) {
        ObjectId id = id(call);
        if (TreeService.isMaster(id)) {
            service.transactions(
                    all -> {
                        all.find(id).ifPresent(all::abort);
                        return true;
                    });
        } else {
            tablets.abort(id);
        }
        call.answer(YsonNode.Members.EMPTY);
    }
}
