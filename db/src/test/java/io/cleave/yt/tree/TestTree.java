package io.cleave.yt.tree;

import io.cleave.base.Env;
import io.cleave.memory.MemoryPool;
import io.cleave.schema.ObjectId;
import io.cleave.testkit.ForwardingEnv;
import io.cleave.testkit.TestStore;
import io.cleave.tree.CypressTree;
import io.cleave.yt.BundleCells;
import io.cleave.yt.command.Command;
import io.cleave.yt.command.CommandCall;
import io.cleave.yt.command.FakeCall;
import io.cleave.yt.error.YtException;

import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;

/// The commands on the tree, over a store in memory.
final class TestTree implements AutoCloseable {
    private final TestStore store;
    private final Map<String, Command> commands = new HashMap<>();

    /// How much later it is for transactions than for everyone else.
    private final AtomicLong laterNanos = new AtomicLong();

    private final Env env;
    private final MemoryPool memory;

    TestTree(int userCells) {
        store = new TestStore(userCells);
        env =
                new ForwardingEnv(store.env()) {
                    @Override
                    public long nanoTime() {
                        return super.nanoTime() + laterNanos.get();
                    }
                };
        memory = new MemoryPool("transactions", 64 << 20, env);
        build();
    }

    private void build() {
        var service =
                new TreeService(
                        new CypressTree(store.tablets(), env),
                        new TestTables(store),
                        new BundleCells(store.tablets().cellLifecycle()),
                        new TestOutlook(),
                        memory);
        TreeCommands.all(service, new NoTabletTransactions())
                .forEach(command -> commands.put(command.descriptor().name(), command));
    }

    TestStore store() {
        return store;
    }

    /// What open transactions keep.
    MemoryPool memory() {
        return memory;
    }

    void pass(Duration time) {
        laterNanos.addAndGet(time.toNanos());
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
