package io.cleave.yt.tree;

import io.cleave.schema.ObjectId;
import io.cleave.testkit.TestStore;
import io.cleave.tree.CypressTree;
import io.cleave.yt.command.Command;
import io.cleave.yt.command.CommandCall;
import io.cleave.yt.command.FakeCall;
import io.cleave.yt.error.YtException;

import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/// The commands on the tree, over a store in memory.
final class TestTree implements AutoCloseable {
    private final TestStore store;
    private final Map<String, Command> commands = new HashMap<>();

    TestTree(int userCells) {
        store = new TestStore(userCells);
        build();
    }

    private void build() {
        var service =
                new TreeService(
                        new CypressTree(store.tablets(), store.env()),
                        new TestTables(store),
                        store.resharding()::putBundle);
        TreeCommands.all(service, new NoTabletTransactions())
                .forEach(command -> commands.put(command.descriptor().name(), command));
    }

    TestStore store() {
        return store;
    }

    void restart() {
        store.restart();
        build();
    }

    /// Runs a command; `input` is empty for commands that take none.
    String run(String name, String parameters, Optional<String> input) {
        FakeCall call = FakeCall.of(store.env(), parameters);
        return (input.isPresent() ? call.withInput(input.get()) : call).runs(commands.get(name));
    }

    @Override
    public void close() {
        store.close();
    }

    private static final class NoTabletTransactions implements TabletTransactions {
        @Override
        public ObjectId start(CommandCall call) {
            throw new YtException(1, "No transactions of rows here");
        }

        @Override
        public void ping(ObjectId id) {}

        @Override
        public void commit(CommandCall call, ObjectId id) {}

        @Override
        public void abort(ObjectId id) {}
    }
}
