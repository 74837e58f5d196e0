package io.cleave.bookkeeper;

import org.apache.curator.framework.recipes.nodes.PersistentNode;
import org.apache.zookeeper.CreateMode;

import java.io.IOException;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;

/// The processes that have a blob store open. Each process publishes the last deletion up to which
/// it no longer reads any deleted blob. A ledger is deleted when all processes have passed its
/// deletion.
///
/// A node of this list lives as long as the ZooKeeper session of its process. A process that hangs
/// for longer than its session may find that a ledger it was reading is gone. Threads: any.
final class BlobHolders implements AutoCloseable {
    /// The timeout for entering.
    private static final Duration PATIENCE = Duration.ofSeconds(30);

    private final BlobNodes nodes;
    private final String name;
    private final PersistentNode own;
    private volatile long passed;

    BlobHolders(BlobNodes nodes, String name) {
        this.nodes = nodes;
        this.name = name;
        own =
                new PersistentNode(
                        nodes.zooKeeper(),
                        CreateMode.EPHEMERAL,
                        false,
                        nodes.holder(name),
                        BlobNodes.bytes("0"));
    }

    /// Registers this process.
    void enter() throws IOException {
        own.start();
        try {
            if (!own.waitForInitialCreate(PATIENCE.toMillis(), TimeUnit.MILLISECONDS)) {
                throw new IOException("ZooKeeper did not answer within " + PATIENCE);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted while ZooKeeper works", e);
        }
    }

    Set<String> names() throws IOException {
        return Set.copyOf(nodes.children(nodes.holders()));
    }

    /// This process reads no blob that was deleted up to this change.
    void pass(long change) throws IOException {
        if (change == passed) {
            return;
        }
        try {
            own.setData(BlobNodes.bytes("" + change));
        } catch (Exception e) {
            throw new IOException("ZooKeeper: " + e, e);
        }
        passed = change;
    }

    /// The last change that all other processes have passed.
    long passedByOthers() throws IOException {
        long least = Long.MAX_VALUE;
        for (var holder : others().entrySet()) {
            least = Math.min(least, holder.getValue());
        }
        return least;
    }

    private Map<String, Long> others() throws IOException {
        Map<String, Long> all = new HashMap<>();
        for (String other : nodes.children(nodes.holders())) {
            Optional<BlobNodes.Read> read = nodes.read(nodes.holder(other));
            if (!other.equals(name) && read.isPresent()) {
                all.put(other, Long.parseLong(read.get().text()));
            }
        }
        return all;
    }

    @Override
    public void close() throws IOException {
        own.close();
    }
}
