package io.cleave.bookkeeper;

import com.google.errorprone.annotations.concurrent.GuardedBy;

import io.cleave.base.Env;
import io.cleave.bookkeeper.ZooKeeperNodes.Text;
import io.cleave.log.LogException;

import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.framework.state.ConnectionState;
import org.apache.curator.framework.state.ConnectionStateListener;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.KeeperException;

import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;

/// The right to lead something, for one process at a time, with an epoch that grows with each
/// holder.
///
/// In ZooKeeper it is a node with the epoch, and below it one with the holder that goes with the
/// holder's session. Both change in one step. A session that expired while nobody else took the
/// lease is no loss: the holder enters itself again, with the same epoch. Who has taken it has
/// another epoch, and the old holder is told.
///
/// A lease tells who should lead, not who can do harm: a process that was paused believes in its
/// lease for a while. What it writes is held off by the fence of the log. Threads: any.
public final class ZooKeeperLease implements AutoCloseable {
    private static final String HOLDER = "/holder";
    private static final Duration BETWEEN_TRIES = Duration.ofMillis(200);

    private final Env env;
    private final ZooKeeperNodes nodes;
    private final String name;
    private final Duration sessionTimeout;
    private final ZooKeeperHolder holder = ZooKeeperHolder.here();
    private final Runnable lost;
    private final ConnectionStateListener listener = this::changed;
    private final ReentrantLock lock = new ReentrantLock();

    /// Set once, before anyone else sees it.
    private long epoch;

    private int version;

    /// It is over: closed, or another's.
    private volatile boolean ended;

    /// When the connection was lost; 0 while there is one.
    private volatile long silentSince;

    @GuardedBy("lock")
    private boolean reentering;

    /// What became of a request for a lease.
    public sealed interface Outcome {
        record Granted(ZooKeeperLease lease) implements Outcome {}

        /// Another process has it.
        record Held(String by) implements Outcome {}
    }

    private ZooKeeperLease(
            Env env, ZooKeeperNodes nodes, String name, Duration sessionTimeout, Runnable lost) {
        this.env = env;
        this.nodes = nodes;
        this.name = name;
        this.sessionTimeout = sessionTimeout;
        this.lost = lost;
    }

    /// Takes the lease if nobody has it, or one who is known to be no more. `lost` is called once,
    /// on a thread of its own, when another has taken it.
    static Outcome take(
            Env env, ZooKeeperNodes nodes, String name, Duration sessionTimeout, Runnable lost) {
        var lease = new ZooKeeperLease(env, nodes, name, sessionTimeout, lost);
        Optional<String> other = lease.take();
        if (other.isPresent()) {
            return new Outcome.Held(other.get());
        }
        nodes.zooKeeper().getConnectionStateListenable().addListener(lease.listener);
        return new Outcome.Granted(lease);
    }

    /// Who has it, if another does.
    private Optional<String> take() {
        nodes.make(name, "0");
        while (true) {
            Text before = nodes.read(name).orElseThrow();
            long next = Long.parseLong(before.text()) + 1;
            if (enter(before.version(), Long.toString(next))) {
                epoch = next;
                version = before.version() + 1;
                return Optional.empty();
            }
            Optional<Text> found = nodes.read(name + HOLDER);
            if (found.isPresent()) {
                Optional<ZooKeeperHolder> other = ZooKeeperHolder.decode(found.get().text());
                if (other.isEmpty() || !other.get().isKnownDead()) {
                    return Optional.of(other.map(Object::toString).orElse(found.get().text()));
                }
                nodes.remove(name + HOLDER);
            }
        }
    }

    /// Writes epoch and holder, if the epoch is still that of this version and there is no holder.
    private boolean enter(int expected, String epochText) {
        return nodes.run(
                "taking",
                name,
                () -> {
                    CuratorFramework zooKeeper = nodes.zooKeeper();
                    try {
                        zooKeeper
                                .transaction()
                                .forOperations(
                                        zooKeeper
                                                .transactionOp()
                                                .setData()
                                                .withVersion(expected)
                                                .forPath(
                                                        nodes.path(name),
                                                        ZooKeeperNodes.bytes(epochText)),
                                        zooKeeper
                                                .transactionOp()
                                                .create()
                                                .withMode(CreateMode.EPHEMERAL)
                                                .forPath(
                                                        nodes.path(name + HOLDER),
                                                        ZooKeeperNodes.bytes(holder.encode())));
                        return true;
                    } catch (KeeperException.BadVersionException
                            | KeeperException.NodeExistsException e) {
                        // A connection that was lost after the step makes a second try fail.
                        return isHolder();
                    }
                });
    }

    private boolean isHolder() {
        return nodes.read(name + HOLDER)
                .filter(found -> found.text().equals(holder.encode()))
                .isPresent();
    }

    public long epoch() {
        return epoch;
    }

    /// Whether nobody else can have it yet: it was not lost, and ZooKeeper was heard of lately.
    public boolean isHeld() {
        long silent = silentSince;
        // A third of the time is for clocks and answers that are slow.
        long trusted = sessionTimeout.toNanos() * 2 / 3;
        return !ended && (silent == 0 || env.nanoTime() - silent < trusted);
    }

    private void changed(CuratorFramework zooKeeper, ConnectionState state) {
        switch (state) {
            case SUSPENDED -> silentSince = Math.max(1, env.nanoTime());
            case LOST, RECONNECTED, CONNECTED -> reenterSoon();
            case READ_ONLY -> {}
        }
    }

    /// Not on ZooKeeper's own thread, which would have to bring the answers.
    private void reenterSoon() {
        lock.lock();
        try {
            if (!ended && !reentering) {
                reentering = true;
                env.spawn("lease-" + name, this::reenter);
            }
        } finally {
            lock.unlock();
        }
    }

    private void reenter() {
        try {
            while (!ended) {
                try {
                    if (isEntered()) {
                        silentSince = 0;
                        return;
                    }
                } catch (LogException e) {
                    // ZooKeeper is still away.
                }
                env.sleep(BETWEEN_TRIES);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            lock.lock();
            try {
                reentering = false;
            } finally {
                lock.unlock();
            }
        }
    }

    /// Whether this process is the holder again, or it is over.
    private boolean isEntered() {
        long session = session();
        Optional<Text> found = nodes.read(name + HOLDER);
        boolean isOurs = found.isPresent() && found.get().text().equals(holder.encode());
        if (isOurs && found.get().session() == session) {
            return true;
        }
        Text now = nodes.read(name).orElseThrow();
        if (now.version() != version || (found.isPresent() && !isOurs)) {
            end();
            lost.run();
            return true;
        }
        if (isOurs) {
            // Of the session before; it would go with it at any moment.
            nodes.remove(name + HOLDER);
        }
        if (enter(version, now.text())) {
            version++;
            return true;
        }
        return false;
    }

    private long session() {
        return nodes.run(
                "asking for the session of",
                name,
                () -> nodes.zooKeeper().getZookeeperClient().getZooKeeper().getSessionId());
    }

    private void end() {
        ended = true;
        nodes.zooKeeper().getConnectionStateListenable().removeListener(listener);
    }

    /// Gives it up, so that the next one need not wait.
    @Override
    public void close() {
        if (ended) {
            return;
        }
        end();
        try {
            if (isHolder()) {
                nodes.remove(name + HOLDER);
            }
        } catch (LogException e) {
            // It goes with the session.
        }
    }
}
